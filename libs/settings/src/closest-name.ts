/**
 * Finds the closest name to a misspelt name. It is within two edits, or within a single edit for a name with fewer than eight
 * characters. Case is ignored. Two swapped neighbours count as a single edit.
 */
export function closestName(misspelt: string, names: readonly string[]): string | undefined {
  const near = names.map((name) => {
    const limit = name.length < 8 ? 1 : 2;
    return { name, edits: editsWithin(limit, name.toUpperCase(), misspelt.toUpperCase()) };
  });
  const [closest] = near.toSorted((a, b) => a.edits - b.edits);
  return closest?.edits === Number.POSITIVE_INFINITY ? undefined : closest?.name;
}

/** Counts the edits; infinite above the limit. Each row in the distance table adds a character from `from`. */
function editsWithin(limit: number, from: string, to: string): number {
  if (Math.abs(from.length - to.length) > limit) return Number.POSITIVE_INFINITY;
  let [beforeLast, last]: number[][] = [[], Array.from({ length: to.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let at = 1; at <= to.length; at++) {
      const replaced = (last?.[at - 1] ?? 0) + (from[row - 1] === to[at - 1] ? 0 : 1);
      const isSwapped = row > 1 && from[row - 1] === to[at - 2] && from[row - 2] === to[at - 1];
      const swapped = isSwapped ? (beforeLast?.[at - 2] ?? 0) + 1 : replaced;
      current[at] = Math.min((last?.[at] ?? 0) + 1, (current[at - 1] ?? 0) + 1, replaced, swapped);
    }
    if (Math.min(...current) > limit) return Number.POSITIVE_INFINITY;
    [beforeLast, last] = [last, current];
  }
  const edits = last?.[to.length] ?? 0;
  return edits > limit ? Number.POSITIVE_INFINITY : edits;
}
