import { ownReading } from '@app/engine';
import { IsBoolean, type ValidationOptions } from 'class-validator';

const words = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
]);

/**
 * A boolean in a query or a path, where every value is a string: `true` and `false` only.
 *
 * `Boolean` would convert every string to true, including `false`. Other values are not converted, so that the rule
 * itself reports `active must be a boolean value`.
 *
 * @param options class-validator's own: message, groups and the rest
 */
export function TrueOrFalse(options?: ValidationOptions): (target: object, property: string) => void {
  return (target, property) => {
    ownReading(toBoolean, { type: 'boolean' })(target, property);
    IsBoolean(options)(target, property);
  };
}

/** Converts the two strings and leaves any other value unchanged. */
function toBoolean(sent: unknown): unknown {
  return words.get(sent) ?? sent;
}
