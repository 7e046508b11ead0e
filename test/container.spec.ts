import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { knownSettings } from './deploy/known-settings';

const root = join(__dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Settings that name a secret, or hold one. */
const secret = /SECRET|PASSWORD|TOKEN|KEY/;

describe('the image', () => {
  const lines = read('deploy/container/Dockerfile').replaceAll('\\\n', ' ').split('\n');
  const argumentsOf = (instruction: string) =>
    lines.flatMap((line) => (line.startsWith(`${instruction} `) ? [line.slice(instruction.length + 1)] : []));

  it('is made from bases that are pinned by digest', () => {
    const bases = argumentsOf('ARG').filter((text) => /^(BUILD|BASE)=/.test(text));
    expect(bases).toHaveLength(2);
    for (const base of bases) expect(base).toMatch(/^\w+=[\w./-]+:[\w.-]+@sha256:[\da-f]{64}$/);
    expect(argumentsOf('FROM')).toEqual(['${BUILD} AS build', '${BASE}']);
  });

  it('runs as a user that is not root, by number', () => {
    expect(argumentsOf('USER')).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)]);
  });

  it('has existing settings, and no secret', () => {
    const names = argumentsOf('ENV').flatMap((text) => [...text.matchAll(/(\w+)=/g)].map(([, name]) => name));
    expect(names).toContain('DATABASE_URL');
    expect(names.filter((name) => !knownSettings.has(name) || secret.test(name))).toEqual([]);
  });

  it('is built from listed files only', () => {
    const [first, ...others] = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(first).toBe('*');
    expect(others.filter((line) => !/^!|^\*\*\//.test(line))).toEqual([]);
  });
});
