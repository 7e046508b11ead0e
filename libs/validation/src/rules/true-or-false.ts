import { ownReading } from '@app/shapes';
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
    ownReading(toBoolean, { type: 'boolean' })(target, property);
    IsBoolean(options)(target, property);
  };
}

/** The two words become what they say; anything else stays. */
function toBoolean(sent: unknown): unknown {
  return words.get(sent) ?? sent;
}
