import { isObject, ownRule, withMeaning } from '@app/engine';
import type { ValidationOptions } from 'class-validator';

/** The limits of {@link IsJsonObject}. */
export interface JsonLimits {
  /** The maximum nesting depth of objects and lists, including the value itself; default 8. */
  readonly maxDepth?: number;
  /** The maximum length of the value as JSON, in characters; default 16,384. */
  readonly maxLength?: number;
}

/** An object with any members, such as a caller's settings. Its depth and its size are limited, and its numbers are finite. */
export function IsJsonObject(
  { maxDepth = 8, maxLength = 16_384 }: JsonLimits = {},
  options?: ValidationOptions,
): PropertyDecorator {
  const declare = ownRule(
    {
      name: 'isJsonObject',
      constraints: [maxDepth, maxLength],
      test: (value) =>
        isObject(value) &&
        !Array.isArray(value) &&
        isJson(value, maxDepth) &&
        JSON.stringify(value).length <= maxLength,
      message: (eachPrefix) =>
        `${eachPrefix}$property must be an object of at most $constraint1 levels and $constraint2 characters as JSON`,
    },
    options,
  );
  return withMeaning(declare, { keywords: { type: 'object' } });
}

function isJson(value: unknown, levels: number): boolean {
  if (isObject(value))
    return levels > 0 && Object.values(value).every((member) => isJson(member, levels - 1));
  return typeof value === 'number' ? Number.isFinite(value) : true;
}
