import { assemble } from '../../shapes/code/assemble';
import { type Code, code, joined, member } from '../../shapes/code/code';
import { Scope } from '../../shapes/code/scope';
import { copyList, isSame } from '../../shapes/lists';
import { selectsLike } from '../../shapes/rules/groups';
import type { ValidatorOptions } from 'class-validator';
import type { CompileOptions } from '../plan/settings';

const MEMBERS = [
  'whitelist',
  'forbidNonWhitelisted',
  'forbidUnknownValues',
  'skipMissingProperties',
  'skipNullProperties',
  'skipUndefinedProperties',
  'stopAtFirstError',
  'dismissDefaultMessages',
  'enableDebugMessages',
  'always',
  'strictGroups',
] satisfies (keyof ValidatorOptions)[];

/** Returns whether functions are compiled equally for other class-validator options. */
export type IsForRules = (options: ValidatorOptions) => boolean;

/**
 * Generates a function that compares any options with these options, and that runs at every validation. A function per engine
 * lets V8 know where the members are, because most callers use the same object kind. A shared function would see too many.
 */
export function emitIsForRules(options: CompileOptions): IsForRules {
  const scope = new Scope();
  const testsOf = (object: Code, raw: object | undefined, names: readonly string[]): Code[] =>
    names.map((name) => {
      const value = (raw as Readonly<Record<string, unknown>> | undefined)?.[name];
      return typeof (value ?? true) === 'boolean'
        ? code`${member(object, name)} === ${value}`
        : code`${scope.hoist(isSame)}(${member(object, name)}, ${scope.hoist(value)})`;
    });
  const tests = [
    ...testsOf(code`given`, options, MEMBERS),
    ...testsOf(code`given.validationError?`, options.validationError, ['target', 'value']),
    code`${scope.hoist(selectsLike(options.groups), 'selectsLike')}(given.groups)`,
  ];
  return assemble<IsForRules>('same', code`return (given) => ${joined(tests, ' && ')};`, scope).made;
}

/**
 * Copies the options, so that the copy is independent from the caller's lists and objects. The copy has the same keys, because
 * the library prints the options themselves when it gets a text in place of an object.
 */
export function ownOptions(options: CompileOptions): CompileOptions {
  const { groups, validationError } = options;
  return {
    ...options,
    ...(groups && { groups: copyList(groups) }),
    ...(validationError && { validationError: { ...validationError } }),
  };
}
