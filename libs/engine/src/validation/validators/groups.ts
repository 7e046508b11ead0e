import { type StandardSchema, standardSchema } from './standard-schema';

/** An input's class. */
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
 * Our pipe reads the class and the groups. Other Standard Schema (v1) users can call `['~standard'].validate`, which is as
 * strict as our applications and rejects unknown fields.
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
 * Selects the validation groups for a handler parameter: `@Body(inGroups(UserDto, 'create')) body: UserDto`.
 *
 * Rules that name no group run only if the selection is empty, or if they are `always`.
 *
 * @param groups at least a single group; with an empty list, class-validator would run the rules in every group
 * @returns options for `@Body`, `@Query` or `@Param`
 * @throws TypeError if the list is empty
 */
export function inGroups<T extends object>(
  type: InputClass<T>,
  ...groups: readonly string[]
): { schema: GroupedSchema<T> } {
  if (groups.length === 0) throw new TypeError(`inGroups(${type.name}) needs the name of a group.`);
  return { schema: new GroupedSchema(type, groups) };
}
