const secretsInText: readonly (readonly [RegExp, string])[] = [
  [/\bBearer\s+[^\s"',;\\]+/gi, 'Bearer [hidden]'],
  [/\beyJ[\w-]+\.[\w-]*\.[\w-]*/g, '[hidden token]'],
  [/(\w:\/\/[^\s:/@"\\]*):[^\s/"\\]*@/g, '$1:[hidden]@'],
  [/\$argon2[a-z]*\$[^\s"'\\]+/g, '[hidden hash]'],
  // V8 quotes a piece of the text that `JSON.parse` refused, and that may be a password.
  [/Unexpected token .{1,200}? is not valid JSON/gs, 'Text is not valid JSON'],
];

/** What every secret that we can recognise has in it. Few lines have one, and one look is cheaper than five. */
const maybeSecret = /bearer|eyJ|:\/\/|\$argon2|unexpected token/i;

/**
 * Takes out of a text what may not be logged and can be recognised: tokens, password hashes, the password in a
 * URL, the piece of a body in an error. Works on what is written as JSON too, and leaves it JSON. A second net: the first is that nothing secret is handed to the log.
 */
export function scrub(text: string): string {
  if (!maybeSecret.test(text)) return text;
  return secretsInText.reduce((left, [pattern, instead]) => left.replace(pattern, instead), text);
}
