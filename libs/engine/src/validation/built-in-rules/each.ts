/** Tests every element, for rules with `each`, since a test may throw; holes are skipped. */
export function eachIs(value: unknown, test: (element: unknown) => boolean): boolean {
  if (!Array.isArray(value))
    return value instanceof Set || value instanceof Map ? eachIs([...value.values()], test) : test(value);
  let isValid = true;
  for (let at = 0; at < value.length; at++) {
    const element: unknown = value[at];
    if ((element !== undefined || at in value) && !test(element)) isValid = false;
  }
  return isValid;
}
