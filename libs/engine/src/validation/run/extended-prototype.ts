/**
 * Whether every object has additional fields, like after prototype pollution. Reading a field then does not tell whether it was
 * sent. Only enumerable fields count, because an assignment creates enumerable fields.
 */
export function isEveryObjectExtended(): boolean {
  for (const _ in Object.prototype) return true;
  return false;
}
