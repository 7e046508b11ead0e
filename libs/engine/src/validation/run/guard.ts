import { isFunction, isObject, prototypeOf } from '../../shapes/values';
import { readBoolean, unreadable } from '../hardening/boolean-texts';
import type { Run } from './run';

/** The error thrown at input that has to be checked completely; the input is unchanged then. */
export const FALL_BACK = new Error('to be checked as a whole');

export function fallBack(): never {
  throw FALL_BACK;
}

/**
 * Converts and counts single values and lists of single values in untrusted input; if the type is missing, plain objects too.
 * Throws {@link FALL_BACK} for other values, unpaired surrogates, and values other than true and false where a boolean is
 * expected.
 */
export function guarded(value: unknown, type: unknown, run: Run): unknown {
  if (type === undefined) return copied(value, run);
  if (typeof value === 'string' && !value.isWellFormed()) throw FALL_BACK;
  if (type === Boolean && !Array.isArray(value)) return trueOrFalse(value);
  return guardedBy(guarded, value, type, run);
}

/** Works like {@link guarded}, with class-transformer's conversion to booleans. */
export function guardedPlain(value: unknown, type: unknown, run: Run): unknown {
  if (type === undefined) return copied(value, run);
  if (type === Boolean && !Array.isArray(value) && typeof value !== 'object' && !isFunction(value))
    return value === undefined ? value : Boolean(value);
  return guardedBy(guardedPlain, value, type, run);
}

/**
 * The maximum depth. It is far below the depth at which input is refused, so that the objects around a value need not be
 * counted.
 */
const MOST_DEPTH = 16;
const MOST_FIELDS = 900;

/**
 * Copies the value of a property without a class, like class-transformer: JSON values become plain objects and lists. Throws
 * {@link FALL_BACK} for other objects, holes, and names that objects inherit.
 */
export function copied(value: unknown, run: Run, depth = 0): unknown {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw FALL_BACK;
    return value;
  }
  if (!isObject(value)) {
    if (isFunction(value)) throw FALL_BACK;
    return value;
  }
  run.left -= 1;
  if (run.left < 0 || depth > MOST_DEPTH) throw FALL_BACK;
  return Array.isArray(value) ? copiedList(value, run, depth + 1) : copiedObject(value, run, depth + 1);
}

function copiedList(list: readonly unknown[], run: Run, depth: number): unknown[] {
  if (prototypeOf(list) !== Array.prototype) throw FALL_BACK;
  const items: unknown[] = [];
  for (let at = 0; at < list.length; at++) {
    if (list[at] === undefined) throw FALL_BACK;
    items.push(copied(list[at], run, depth));
  }
  return items;
}

function copiedObject(value: object, run: Run, depth: number): object {
  if (prototypeOf(value) !== Object.prototype) throw FALL_BACK;
  const copy: Record<string, unknown> = {};
  let fields = 0;
  for (const name in value) {
    fields += 1;
    if (fields > MOST_FIELDS || name === 'prototype' || name in Object.prototype || !name.isWellFormed())
      throw FALL_BACK;
    copy[name] = copied((value as Readonly<Record<string, unknown>>)[name], run, depth);
  }
  return copy;
}

/** Works like {@link guarded} for a value in place of a nested object, and also rejects lists. */
export function single(value: unknown, guard: typeof guarded, run: Run): unknown {
  if (isObject(value)) throw FALL_BACK;
  return guard(value, undefined, run);
}

function guardedBy(guard: typeof guarded, value: unknown, type: unknown, run: Run): unknown {
  if (Array.isArray(value)) {
    run.left -= 1;
    if (run.left < 0) throw FALL_BACK;
    const items: unknown[] = [];
    for (let at = 0; at < value.length; at++) {
      if (value[at] === undefined && !(at in value)) continue;
      if (typeof value[at] === 'object' && value[at] !== null) throw FALL_BACK;
      items.push(guard(value[at], type, run));
    }
    return items;
  }
  if (isObject(value) || isFunction(value)) throw FALL_BACK;
  if (value === undefined || value === null) return value;
  if (type === Date) return new Date(value as string);
  if (type === String) return String(value);
  if (type === Number) return Number(value);
  if (type === Buffer || (type !== undefined && !isFunction(type))) throw FALL_BACK;
  return value;
}

function trueOrFalse(value: unknown): unknown {
  const read = readBoolean(value);
  if (read === unreadable) throw FALL_BACK;
  return read;
}
