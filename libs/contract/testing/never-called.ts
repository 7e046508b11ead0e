/** The body of a handler with a described route that tests never call. */
export function neverCalled(): never {
  throw new Error('this route must not be called');
}
