import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { IsString } from 'class-validator';
import { CodePlaces } from './code-place';

class Parent {
  @IsString()
  first!: string;

  read(): string {
    return this.first;
  }
}

class Subclass extends Parent {
  @IsString() second!: string;
}

const file = 'libs/contract/src/findings/code-place.spec.ts';

describe('the position of a declaration', () => {
  const places = new CodePlaces();
  afterAll(() => places.close());

  it('is that in the source, whatever compiled it', () => {
    expect(places.find(Parent)).toEqual({ file, line: 8 });
    expect(places.find(Parent, 'read')).toEqual({ file, line: 12 });
  });

  it('is that of a member of the class or of a superclass', () => {
    expect(places.find(Parent, 'first')).toEqual({ file, line: 10 });
    expect(places.find(Subclass, 'second')).toEqual({ file, line: 18 });
    expect(places.find(Subclass, 'first')).toEqual({ file, line: 10 });
    expect(places.find(Subclass, 'third')).toEqual({ file, line: 17 });
  });

  it('is that of the class itself in a bundle with several of its name', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-code-place-'));
    const bundle = join(folder, 'bundle.js');
    const lines = [
      '{ const Job = class Job {',
      'constructor() {}',
      '};',
      'const Job$1 = class {',
      'constructor() {}',
      '};',
      'Object.defineProperty(Job$1, "name", { value: "Job" }) }',
    ];
    writeFileSync(bundle, lines.join('\n'));
    try {
      const job: Function = new Script(lines.join('\n'), { filename: bundle }).runInThisContext();
      expect(places.find(job)).toEqual({ file: bundle, line: 4 });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is undefined for what has no source', () => {
    expect(places.find(Array)).toBeUndefined();
  });
});
