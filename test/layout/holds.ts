import { join } from 'node:path';
import { type Module, readModule, readModules } from './read-modules';
import type { Rule } from './rules';

/** Every source file of the workspace. */
export const modules = readModules(join(__dirname, '../..'));

/** Sources by path that break a rule, one complaint each, and sources that keep it. */
export interface Examples {
  readonly breaking: Readonly<Record<string, string>>;
  readonly keeping: Readonly<Record<string, string>>;
}

/** Checks the workspace by a rule, and the rule by its examples: it must name each that breaks it, and no other. */
export function holds(title: string, rule: Rule, examples: Examples): void {
  it(title, () => {
    expect(rule(modules)).toEqual([]);
    const breaking = Object.keys(examples.breaking);
    expect(rule(readAll(examples.breaking))).toEqual(breaking.map((path) => expect.stringContaining(path)));
    expect(rule(readAll(examples.keeping))).toEqual([]);
  });
}

function readAll(sources: Readonly<Record<string, string>>): readonly Module[] {
  return Object.entries(sources).map(([path, text]) => readModule(path, text));
}
