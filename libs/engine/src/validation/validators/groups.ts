import { type StandardSchema, standardSchema } from './standard-schema';

/** The class of an input. */
export type InputClass<T extends object = object> = new () => T;

const strict = {
  whitelist: true,
  forbidNonWhitelisted: true,
  forbidUnknownValues: false,
  hardened: true,
};

/**
 * A class with selected validation groups.
 *
 * Our pipe reads the class and the groups. Other users of Standard Schema (v1) can call `['~standard'].validate`,
 * which is as strict as our applications: unknown fields are rejected.
 */
export class GroupedSchema<T extends object = object> {
  readonly '~standard': StandardSchema<T>['~standard'];

  readonly groups: readonly string[];

  constructor(
    readonly type: InputClass<T>,
    groups: readonly string[],
  ) {
    this.groups = Object.freeze([...groups]);
    this['~standard'] = standardSchema(type, { ...strict, groups: [...groups] })['~standard'];
  }
}

/**
 * Selects the validation groups of one handler parameter: `@Body(inGroups(UserDto, 'create')) body: UserDto`.
 *
 * Rules with no group run only when no group is selected, unless they are `always`.
 *
 * @param groups at least one; without a group, class-validator runs the rules of every group
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
