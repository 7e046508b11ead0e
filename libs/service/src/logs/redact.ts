const secretsInText: readonly (readonly [RegExp, string])[] = [
  [/\bBearer\s+[^\s"',;\\]+/gi, 'Bearer [hidden]'],
  [/\beyJ[\w-]+\.[\w-]*\.[\w-]*/g, '[hidden token]'],
  [/(\w:\/\/[^\s:/@"\\]*):[^\s/"\\]*@/g, '$1:[hidden]@'],
  [/\$argon2[a-z]*\$[^\s"'\\]+/g, '[hidden hash]'],
  // V8 quotes a piece of the text that `JSON.parse` rejected, which may be a password.
  [/Unexpected token .{1,200}? is not valid JSON/gs, 'Text is not valid JSON'],
];

/** Matches every text that the patterns above match. Few lines do, and one test is cheaper than five. */
const maybeSecret = /bearer|eyJ|:\/\/|\$argon2|unexpected token/i;

/**
 * Redacts recognisable secrets in a text: tokens, password hashes, the password in a URL, the piece of a body in an error.
 * JSON stays valid JSON. This is defence in depth: no code should log a secret in the first place.
 */
export function redact(text: string): string {
  if (!maybeSecret.test(text)) return text;
  return secretsInText.reduce((left, [pattern, instead]) => left.replace(pattern, instead), text);
}
