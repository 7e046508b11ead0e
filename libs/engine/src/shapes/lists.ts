/** Whether two values are the same, or are lists with the same elements in the same order. Most values are `undefined`. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === undefined) return other === undefined;
  if (!Array.isArray(one) || !Array.isArray(other)) return Object.is(one, other);
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (!Object.is(one[at], other[at])) return false;
  return true;
}

/** Copies a list, so that later changes to it have no effect; anything else is returned unchanged. */
export function copyList<List>(list: List): List {
  return Array.isArray(list) ? ([...list] as List) : list;
}
