import { classOfProperty, readTransforms, wireName } from '@app/engine';
import { hasRestrictions, hiddenName, restrictedMembers } from '../audiences/accept';
import { type AudienceCaller, heldBy } from '../audiences/audience';
import { inputClasses } from '../input-findings/input-parts';

/** The inputs for which a request has decided. */
const decided = new WeakSet<object>();

/**
 * Renames the members that a caller may not send to names that no class has, so that the pipe finds unknown members in their
 * places. An input that a request has decided stays as it is.
 *
 * @param caller the caller; by default every audience's members are renamed
 */
export function maskInput(type: unknown, input: unknown, caller?: AudienceCaller): unknown {
  if (typeof type !== 'function' || !restrictsInput(type)) return input;
  if (typeof input !== 'object' || input === null || decided.has(input)) return input;
  const names = inputClasses(type).flatMap((part) => [...restrictedMembers(part).values()].flat());
  const masked = maskedBy(type, input, heldBy(caller, names).byRequest);
  decided.add(Object(masked));
  return masked;
}

const restricting = new WeakMap<Function, boolean>();

/** Returns whether a class or a nested class has members that only some callers may send. */
export function restrictsInput(type: Function): boolean {
  if (!hasRestrictions()) return false;
  const restricts =
    restricting.get(type) ?? inputClasses(type).some((part) => restrictedMembers(part).size > 0);
  restricting.set(type, restricts);
  return restricts;
}

function maskedBy(type: Function, input: unknown, audiences: ReadonlySet<string>): unknown {
  if (typeof input !== 'object' || input === null) return input;
  if (Array.isArray(input)) return input.map((item: unknown) => maskedBy(type, item, audiences));
  const restricted = restrictedKeys(type);
  const entries = Object.entries(input).map(([key, value]: [string, unknown]): [string, unknown] => {
    const from = restricted.get(key);
    if (from !== undefined && !from.some((name) => audiences.has(name))) return [hiddenName(key), value];
    return [key, maskedPart(type, propertyAt(type, key), value, audiences)];
  });
  return Object.fromEntries(entries);
}

function maskedPart(
  type: Function,
  property: string,
  value: unknown,
  audiences: ReadonlySet<string>,
): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => maskedPart(type, property, item, audiences));
  if (typeof value !== 'object' || value === null) return value;
  const part = classOfProperty(type, property, value);
  return part === Object ? value : maskedBy(part, value, audiences);
}

/** Returns the audiences by the names under which a client can send a member. */
function restrictedKeys(type: Function): ReadonlyMap<string, readonly string[]> {
  const shape = readTransforms(type);
  return new Map(
    [...restrictedMembers(type)].flatMap(([property, from]) => [
      [property, from],
      [wireName(shape, property), from],
    ]),
  );
}

function propertyAt(type: Function, key: string): string {
  const shape = readTransforms(type);
  return [...shape.exposeOf.keys()].find((property) => wireName(shape, property) === key) ?? key;
}
