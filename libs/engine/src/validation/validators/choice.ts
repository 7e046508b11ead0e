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

/** Whether functions are compiled equally for other options of class-validator. */
export type IsForRules = (given: ValidatorOptions) => boolean;

/**
 * Generates the comparison of any options with these. It is called for every validation: in a function per engine, V8
 * knows the places of the members, as most callers have one kind of object. One function for all would see too many.
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
 * A copy that does not change with the caller's lists and objects. It has the same keys: for a text in place of an
 * object, the library tells of the options themselves.
 */
export function ownOptions(given: CompileOptions): CompileOptions {
  const { groups, validationError } = given;
  return {
    ...given,
    ...(groups && { groups: copyList(groups) }),
    ...(validationError && { validationError: { ...validationError } }),
  };
}
