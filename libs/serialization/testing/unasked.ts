/** The body of a handler whose route is described and never asked. */
export function unasked(): never {
  throw new Error('nobody asks this route');
}
