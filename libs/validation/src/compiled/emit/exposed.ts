import { type Code, code, type Scope } from '@app/shapes';
import { GIVE_UP } from './each';
import type { ClassPlan } from './plan';

const isEnumerable = Object.prototype.propertyIsEnumerable;

/**
 * Lays down as undefined what is exposed and was not sent, behind all that was.
 *
 * @throws GIVE_UP where it was sent in a way that is not seen by going through the keys
 */
export function layUnsent(made: object, value: object, exposed: readonly string[]): void {
  for (const name of exposed) {
    if (isEnumerable.call(value, name)) continue;
    if ((value as Record<string, unknown>)[name] !== undefined) throw GIVE_UP;
    (made as Record<string, unknown>)[name] = undefined;
  }
}

/**
 * Writes the call, where any may be missing.
 *
 * @param sent names that are there for certain
 */
export function writeUnsent({ exposed }: ClassPlan, sent: readonly string[], scope: Scope): Code {
  const names = exposed.filter((name) => !sent.includes(name));
  if (names.length === 0) return code``;
  return code`  ${scope.hoist(layUnsent)}(made, value, ${scope.hoist(names, 'exposed')});\n`;
}
