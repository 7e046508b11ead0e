import { join } from 'node:path';
import { type Module, readModule, readModules } from './read-modules';
import type { Rule } from './rules';

/** The workspace's source files. */
export const modules = readModules(join(__dirname, '../..'));

/** Sources by path. The breaking sources violate a rule and cause a message each, and the keeping sources comply. */
export interface Examples {
  readonly breaking: Readonly<Record<string, string>>;
  readonly keeping: Readonly<Record<string, string>>;
}

/** Checks the workspace with a rule, and the rule with its examples. The rule must report exactly the violations. */
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
