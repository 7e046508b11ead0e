const quote = 0x22;
const backslash = 0x5c;

/**
 * Whether a JSON text is nested deeper than allowed, without parsing it: one pass, no recursion, no allocation.
 * `[[1]]` has two levels. In a text that is not JSON, the brackets outside of strings are counted.
 */
export function isDeeperThan(maxLevels: number, json: string): boolean {
  return !opensAtMost(maxLevels, json) && deepensBeyond(maxLevels, json);
}

/** Most bodies have fewer containers in total than levels allowed; counting them is faster than the full pass. */
function opensAtMost(most: number, json: string): boolean {
  let left = most;
  for (const bracket of ['{', '[']) {
    let at = json.indexOf(bracket);
    while (at !== -1 && left >= 0) {
      left--;
      at = json.indexOf(bracket, at + 1);
    }
  }
  return left >= 0;
}

function deepensBeyond(maxLevels: number, json: string): boolean {
  let level = 0;
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case quote:
        at = endOfString(json, at);
        break;
      case 0x5b: // [
      case 0x7b: // {
        level++;
        if (level > maxLevels) return true;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        level--;
        break;
    }
  }
  return false;
}

/** Most of a typical body is strings, so they are skipped with `indexOf`. */
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end === -1 ? json.length : end;
}

/** Whether an odd number of backslashes precedes it. Each run precedes one quote, so the pass stays linear. */
function isEscaped(json: string, at: number): boolean {
  let start = at;
  while (json.charCodeAt(start - 1) === backslash) start--;
  return (at - start) % 2 === 1;
}
