import { readBoolean, unreadable } from '../hardening/boolean-texts';
import type { Run } from './run';

/** Thrown at input that requires a check as a whole; nothing was changed then. */
export const FALL_BACK = new Error('to be checked as a whole');

export function fallBack(): never {
  throw FALL_BACK;
}

/**
 * Converts single values and lists of them in untrusted input, and counts them. Throws {@link FALL_BACK} for other
 * values, unpaired surrogates, and values other than true and false where a boolean is expected.
 */
export function guarded(value: unknown, type: unknown, run: Run): unknown {
  if (typeof value === 'string' && !value.isWellFormed()) throw FALL_BACK;
  if (type === Boolean && !Array.isArray(value)) return trueOrFalse(value);
  return guardedBy(guarded, value, type, run);
}

/** The same, with class-transformer's conversion of booleans. */
export function guardedPlain(value: unknown, type: unknown, run: Run): unknown {
  if (type === Boolean && !Array.isArray(value) && typeof value !== 'object' && typeof value !== 'function')
    return value === undefined ? value : Boolean(value);
  return guardedBy(guardedPlain, value, type, run);
}

/** The same in place of a nested object: no list either. */
export function single(value: unknown, guard: typeof guarded, run: Run): unknown {
  if (typeof value === 'object' && value !== null) throw FALL_BACK;
  return guard(value, undefined, run);
}

function guardedBy(guard: typeof guarded, value: unknown, type: unknown, run: Run): unknown {
  if (Array.isArray(value)) {
    run.left -= 1;
    if (run.left < 0) throw FALL_BACK;
    const made: unknown[] = [];
    for (let at = 0; at < value.length; at++) {
      if (value[at] === undefined && !(at in value)) continue;
      if (typeof value[at] === 'object' && value[at] !== null) throw FALL_BACK;
      made.push(guard(value[at], type, run));
    }
    return made;
  }
  if ((typeof value === 'object' && value !== null) || typeof value === 'function') throw FALL_BACK;
  if (value === undefined || value === null) return value;
  if (type === Date) return new Date(value as string);
  if (type === String) return String(value);
  if (type === Number) return Number(value);
  if (type === Buffer || (type !== undefined && typeof type !== 'function')) throw FALL_BACK;
  return value;
}

function trueOrFalse(value: unknown): unknown {
  const read = readBoolean(value);
  if (read === unreadable) throw FALL_BACK;
  return read;
}
