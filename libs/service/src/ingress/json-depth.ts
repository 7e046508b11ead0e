const quote = 0x22;
const backslash = 0x5c;

/**
 * Whether a JSON text is nested deeper than allowed, found without parsing it: one pass, no recursion, no memory.
 * `[[1]]` has two levels. Of a text that is no JSON it says what the brackets outside of strings say.
 */
export function isDeeperThan(maxLevels: number, json: string): boolean {
  return !opensAtMost(maxLevels, json) && deepensBeyond(maxLevels, json);
}

/** Most bodies have fewer containers than may stand within each other; to count them is quicker than the pass. */
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

/** Strings are most of most bodies, so they are leapt over by `indexOf`. */
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end === -1 ? json.length : end;
}

/** An odd number of backslashes before it. A run of them stands before one quote, so the pass stays linear. */
function isEscaped(json: string, at: number): boolean {
  let start = at;
  while (json.charCodeAt(start - 1) === backslash) start--;
  return (at - start) % 2 === 1;
}
