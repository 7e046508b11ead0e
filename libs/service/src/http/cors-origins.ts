/** The origins with pages that may call the program: `false` for no origin, `*` for any origin, or exact origins. */
export type CorsOrigins = false | '*' | readonly string[];

/**
 * Reads the origins in `CORS_ORIGINS`: `off`, `*`, or a list of exact origins such as `https://app.example.com`.
 *
 * Patterns are unsupported because a pattern that is too wide lets foreign pages act as the user. `null` is unsupported because
 * any sandboxed page sends it.
 *
 * @returns `undefined` for any other text
 */
export function readCorsOrigins(text: string): CorsOrigins | undefined {
  if (text === 'off') return false;
  if (text === '*') return '*';
  const origins = text.split(',').map((part) => part.trim());
  return origins.every(isOrigin) ? origins : undefined;
}

/** Returns whether a text is an origin as browsers write it: lower case, without default port, path or trailing slash. */
function isOrigin(text: string): boolean {
  return /^https?:[^*]*$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
