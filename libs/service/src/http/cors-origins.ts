/** Whose pages may call the program: none, those of any origin, or those of these origins. */
export type CorsOrigins = false | '*' | readonly string[];

/**
 * Reads the origins of `CORS_ORIGINS`: `off`, `*`, or a list of exact origins such as `https://app.example.com`.
 *
 * Patterns are not supported: one that is too wide lets pages of others act as the user. Neither is `null`, which any page
 * in a sandbox sends.
 *
 * @returns `undefined` if it is none of these
 */
export function readCorsOrigins(text: string): CorsOrigins | undefined {
  if (text === 'off') return false;
  if (text === '*') return '*';
  const origins = text.split(',').map((part) => part.trim());
  return origins.every(isOrigin) ? origins : undefined;
}

/** As browsers write it: in lower case, without a default port, a path or a slash at its end. */
function isOrigin(text: string): boolean {
  return /^https?:[^*]*$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
