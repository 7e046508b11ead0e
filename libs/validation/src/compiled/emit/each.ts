/** Thrown at what only the closures can judge. */
export const GIVE_UP = new Error('to be judged from the start');

/** `each`: every element is asked. Sets and maps do not come off the wire, and count as not valid. */
export function eachIs(value: unknown, test: (element: unknown) => boolean): boolean {
  if (!Array.isArray(value)) return !(value instanceof Set || value instanceof Map) && test(value);
  return value.every(test);
}

/** The same where a wrong answer would be an error: all are asked, for one may throw; sets and maps are given up on. */
export function eachIsValid(value: unknown, test: (element: unknown) => boolean): boolean {
  if (value instanceof Set || value instanceof Map) throw GIVE_UP;
  if (!Array.isArray(value)) return test(value);
  let isValid = true;
  value.forEach((element) => {
    if (!test(element)) isValid = false;
  });
  return isValid;
}
