/** The body of a handler whose route is described and never called. */
export function neverCalled(): never {
  throw new Error('this route must not be called');
}
