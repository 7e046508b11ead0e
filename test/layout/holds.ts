import { join } from 'node:path';
import { type Module, readModule, readModules } from './read-modules';
import type { Rule } from './rules';

/** Every source file of the workspace. */
export const modules = readModules(join(__dirname, '../..'));

/** Sources by path that violate a rule, one message each, and sources that comply. */
export interface Examples {
  readonly breaking: Readonly<Record<string, string>>;
  readonly keeping: Readonly<Record<string, string>>;
}

/** Checks the workspace with a rule, and the rule with its examples: it must report each violation, and nothing else. */
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
