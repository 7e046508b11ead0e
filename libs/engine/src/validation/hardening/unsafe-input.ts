import { ValidationError } from 'class-validator';

/** Nesting depth, the input itself included: deeper input overflows the libraries' stack. */
const MAX_DEPTH = 32;
/** Fields of one object: class-transformer compares each name with every other. */
const MAX_FIELDS = 1000;
/** Objects and lists in one input: each costs the libraries some microseconds, and the smallest is two bytes. */
const MAX_OBJECTS = 5000;

/** Why and where an input must not reach the libraries. */
export interface UnsafeInput {
  readonly rule: 'isBounded' | 'isWellFormed' | 'isBoolean' | 'isObject' | 'isReadable';
  readonly message: string;
  /** From the outermost key; empty for the whole input. */
  readonly path: readonly string[];
}

/**
 * Finds input at which class-transformer or a rule throws instead of failing, or needs excessive time: nesting beyond
 * 32 levels (a stack overflow), unpaired surrogates in a string or in a field's name (a `URIError` from the e-mail
 * rule), more than 1000 fields in one object or 5000 objects in all (a tenth of a second for 100 KiB).
 *
 * A cycle counts as unlimited depth. Only plain objects and arrays are checked, since JSON has no others.
 *
 * @returns the first finding in the order of the input, or `undefined`
 */
export function findUnsafeInput(value: unknown): UnsafeInput | undefined {
  return look(value, [], { objects: 0 });
}

/** @param path of `value`; its length is the depth */
function look(value: unknown, path: string[], seen: { objects: number }): UnsafeInput | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : illFormed(path);
  if (!isPlain(value)) return undefined;
  const names = Object.keys(value);
  seen.objects += 1;
  const tooMuch = boundBroken(value, names.length, path.length, seen.objects);
  if (tooMuch) return { rule: 'isBounded', message: tooMuch, path: [] };
  for (const name of names) {
    if (!name.isWellFormed()) return illFormedName(path);
    path.push(name);
    const found = look(Reflect.get(value, name), path, seen);
    if (found) return found;
    path.pop();
  }
  return undefined;
}

function boundBroken(value: object, fields: number, depth: number, objects: number): string | undefined {
  if (depth === MAX_DEPTH) return `the input must not be nested more than ${MAX_DEPTH} levels deep`;
  if (objects > MAX_OBJECTS) return `the input must not hold more than ${MAX_OBJECTS} objects`;
  if (fields > MAX_FIELDS && !Array.isArray(value)) {
    return `the input must not hold more than ${MAX_FIELDS} fields in one object`;
  }
  return undefined;
}

/**
 * A plain object or an array: what JSON and query strings are made of.
 *
 * Fastify's query objects have an empty prototype, so the end of the prototype chain is tested.
 */
export function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return true;
  return Object.getPrototypeOf(prototype) === null;
}

function illFormed(path: readonly string[]): UnsafeInput {
  return {
    rule: 'isWellFormed',
    message: `${path.at(-1) ?? 'the value'} must be well-formed Unicode text`,
    path: [...path],
  };
}

function illFormedName(path: readonly string[]): UnsafeInput {
  return {
    rule: 'isWellFormed',
    message: 'the name of a field must be well-formed Unicode text',
    path: [...path],
  };
}

/**
 * An error nested as by class-validator, so that every form of reply can be created from it.
 *
 * @param whole the name of the whole input, for errors of all of it
 */
export function toError({ rule, message, path }: UnsafeInput, whole?: string): ValidationError {
  const [last = whole, ...above] = path.toReversed();
  const innermost = errorOf({ property: last, constraints: { [rule]: message }, children: [] });
  return above.reduce((inner, property) => errorOf({ property, children: [inner] }), innermost);
}

function errorOf(fields: Partial<ValidationError> | { property: undefined }): ValidationError {
  return Object.assign(new ValidationError(), fields);
}

/** The error for an input at which a rule or a transform threw. */
export const unreadableInput: UnsafeInput = {
  rule: 'isReadable',
  message: 'the input cannot be read',
  path: [],
};

/** The error for `null` in place of an object. */
export const nullInput: UnsafeInput = { rule: 'isObject', message: 'the input must be an object', path: [] };

/** The errors that JavaScript itself throws for values of the wrong kind. */
const overruns = [TypeError, RangeError, URIError, SyntaxError];

/** Whether code threw because of its argument, and not on purpose. */
export function isOverrun(error: unknown): error is Error {
  return overruns.some((kind) => error instanceof kind);
}
