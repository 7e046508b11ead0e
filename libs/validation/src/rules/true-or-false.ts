import { transformMeaning } from '@app/shapes';
import { Transform, type TransformFnParams } from 'class-transformer';
import { IsBoolean, type ValidationOptions } from 'class-validator';

const words = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
]);

/**
 * A yes or no in a query or a path, where everything arrives as text: `true` and `false`, and nothing else.
 *
 * `Boolean` would take every text for yes, `false` among them. Whatever else came stays as it is, so that the rule
 * itself says `active must be a boolean value`.
 *
 * @param options class-validator's own: message, groups and the rest
 */
export function TrueOrFalse(options?: ValidationOptions): (target: object, property: string) => void {
  return (target, property) => {
    Transform(toBoolean, { toClassOnly: true })(target, property);
    IsBoolean(options)(target, property);
  };
}

/** Reads the field as it was sent: with implicit conversion on, `value` is already a boolean, even for `0`. */
function toBoolean({ value, obj, key }: TransformFnParams): unknown {
  const fields: Record<string, unknown> = obj;
  const sent: unknown = Object.hasOwn(fields, key) ? fields[key] : value;
  return words.get(sent) ?? sent;
}

transformMeaning(toBoolean, { type: 'boolean' });
