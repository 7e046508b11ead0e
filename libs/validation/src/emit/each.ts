/** `each`: every element is asked, for one may throw. */
export function eachIs(value: unknown, test: (element: unknown) => boolean): boolean {
  if (Array.isArray(value)) {
    let isValid = true;
    value.forEach((element) => {
      if (!test(element)) isValid = false;
    });
    return isValid;
  }
  if (value instanceof Set || value instanceof Map) return eachIs([...value.values()], test);
  return test(value);
}
