import { ValidationError } from 'class-validator';

/** The reason why an input must not reach the libraries, and the place. */
export interface UnsafeInput {
  readonly rule: 'isBounded' | 'isWellFormed' | 'isBoolean' | 'isObject' | 'isReadable';
  readonly message: string;
  /** The path from the outermost key; empty for the whole input. */
  readonly path: readonly string[];
}

/**
 * Creates an error with the same nesting as class-validator, so that every reply format can be created from it.
 *
 * @param whole the name of the whole input, for errors that concern the input itself
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

/** The errors that JavaScript itself throws for wrong value kinds. */
const overruns = [TypeError, RangeError, URIError, SyntaxError];

/** Whether code threw because of its argument, and not deliberately. */
export function isOverrun(error: unknown): error is Error {
  return overruns.some((kind) => error instanceof kind);
}
