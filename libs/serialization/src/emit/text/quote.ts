/** Below so many characters, a look at each is quickest. */
const FEW = 8;
/** Below so many, JSON.stringify is: up to here it works without a buffer of its own. */
const SOME = 32;
/** Below so many, a search for what needs an escape is; from here on it is JSON.stringify again. */
const MANY = 160;

const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/;

/**
 * A string as JSON text, as `JSON.stringify` writes it: lone surrogates escaped, pairs as they are.
 *
 * The lengths at which one way gives over to the next were measured on Node 26, the text made flat and not.
 */
export function quote(value: string): string {
  const { length } = value;
  if (length < FEW ? isClean(value) : length >= SOME && length < MANY && !NEEDS_ESCAPE.test(value)) {
    return `"${value}"`;
  }
  return JSON.stringify(value);
}

function isClean(value: string): boolean {
  for (let index = 0; index < value.length; index++) {
    const unit = value.charCodeAt(index);
    if (unit < 0x20 || unit === 0x22 || unit === 0x5c || (unit & 0xf800) === 0xd800) return false;
  }
  return true;
}
