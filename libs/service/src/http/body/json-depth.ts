const quote = 0x22;
const backslash = 0x5c;

/**
 * Returns whether a JSON text is nested deeper than allowed. It reads the text once without parsing, recursion or allocation.
 * `[[1]]` has two levels. In invalid JSON, it counts the brackets outside strings.
 */
export function isDeeperThan(maxLevels: number, json: string): boolean {
  return !opensAtMost(maxLevels, json) && deepensBeyond(maxLevels, json);
}

/** Returns whether a text opens at most this many containers. Most bodies do, and counting is faster than the full pass. */
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

/** Returns the end of a JSON string. It uses `indexOf` because a typical body is mostly strings. */
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end === -1 ? json.length : end;
}

/** Returns whether an odd number of backslashes precedes a quote. Each run precedes a single quote, so the pass stays linear. */
function isEscaped(json: string, at: number): boolean {
  let start = at;
  while (json.charCodeAt(start - 1) === backslash) start--;
  return (at - start) % 2 === 1;
}
