/**
 * Whether someone added fields to every object, as polluted prototypes have: reading a field then does not tell whether
 * it was sent. Only enumerable ones, as of an assignment.
 */
export function isEveryObjectExtended(): boolean {
  for (const _ in Object.prototype) return true;
  return false;
}
