import { readdirSync } from 'node:fs';
import { statements } from './section';

describe('the specification', () => {
  it('has a test file for each section with statements', () => {
    const sections = new Set(statements.map((name) => Number(/^§(\d+)/.exec(name)?.[1])));
    const files = readdirSync(__dirname).flatMap((file) => /^section-(\d+)\.spec\.ts$/.exec(file)?.[1] ?? []);
    expect(files.map(Number).toSorted((a, b) => a - b)).toEqual([...sections].toSorted((a, b) => a - b));
  });
});
