/** Whether two values are the same, or are lists with the same elements in the same order. Most values are `undefined`. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === undefined) return b === undefined;
  if (!Array.isArray(a) || !Array.isArray(b)) return Object.is(a, b);
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (!Object.is(a[at], b[at])) return false;
  return true;
}

/** Copies a list, so that later changes to it have no effect; anything else is returned unchanged. */
export function copyList<List>(list: List): List {
  return Array.isArray(list) ? ([...list] as List) : list;
}
