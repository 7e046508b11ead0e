import { plainToInstance } from 'class-transformer';
import { validate, type ValidationError } from 'class-validator';
import { findMisplacedLists } from './misplaced-lists';
import { takeMemberNames } from './own-names';
import { withUnknownMembers } from './unknown-members';
import { findUnsafeInput, isPlain } from './unsafe-input';

/** A class whose instances a caller's input becomes. */
export type InputClass<T extends object = object> = new () => T;

/** The outcome of a Standard Schema, as its specification words it. */
export type SchemaResult<T> =
  { readonly value: T; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] };

/** One broken rule, as the Standard Schema specification words it. */
export interface SchemaIssue {
  readonly message: string;
  readonly path: readonly string[];
}

/**
 * A class under some of its validation groups.
 *
 * Our pipe reads the class and the groups; anything else that knows Standard Schema (v1) can call
 * `['~standard'].validate`, which is as strict as our applications are: unknown fields are refused.
 */
export class GroupedSchema<T extends object = object> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'sluice';
    readonly validate: (value: unknown) => Promise<SchemaResult<T>>;
    readonly types?: { readonly input: T; readonly output: T };
  };

  constructor(
    readonly type: InputClass<T>,
    readonly groups: readonly string[],
  ) {
    this['~standard'] = {
      version: 1,
      vendor: 'sluice',
      validate: (value) => validateInGroups(type, groups, value),
    };
  }
}

/**
 * Selects the validation groups of one handler parameter: `@Body(inGroups(UserDto, 'create')) body: UserDto`.
 *
 * Rules with no group run only when no group is selected, unless they are `always`.
 *
 * @param groups at least one; none selected would run every rule of every group, as class-validator has it
 * @returns options for `@Body`, `@Query` or `@Param`
 * @throws TypeError without a group
 */
export function inGroups<T extends object>(
  type: InputClass<T>,
  ...groups: readonly string[]
): { schema: GroupedSchema<T> } {
  if (groups.length === 0) throw new TypeError(`inGroups(${type.name}) needs the name of a group.`);
  return { schema: new GroupedSchema(type, groups) };
}

async function validateInGroups<T extends object>(
  type: InputClass<T>,
  groups: readonly string[],
  value: unknown,
): Promise<SchemaResult<T>> {
  if (!isPlain(value) || Array.isArray(value))
    return { issues: [{ message: 'an object is expected', path: [] }] };
  const unsafe = findUnsafeInput(value);
  if (unsafe) return { issues: [unsafe] };
  const taken = takeMemberNames(type, value);
  const instance = plainToInstance(type, value);
  const options = { ...strict, groups: [...groups] };
  const broken = await withUnknownMembers(taken, value, instance, options, () => validate(instance, options));
  const errors = broken.length > 0 ? broken : findMisplacedLists(instance, options);
  return errors.length === 0 ? { value: instance } : { issues: [...eachIssue(errors, [])] };
}

const strict = { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: false };

function* eachIssue(errors: readonly ValidationError[], above: readonly string[]): Generator<SchemaIssue> {
  for (const { property, constraints, children } of errors) {
    const path = [...above, property];
    for (const message of Object.values(constraints ?? {})) yield { message, path };
    yield* eachIssue(children ?? [], path);
  }
}
