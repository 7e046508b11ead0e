import type { AuthRequest, SecurityScheme, Strategy } from './strategy';

/** Returns whether a request carries credentials, valid or invalid. */
export type CredentialsTest = (request: AuthRequest) => boolean;

/**
 * Returns how a strategy detects a request with credentials, which may be invalid.
 *
 * @returns `undefined` if `hasCredentials` and the scheme are both missing
 */
export function credentialsTest({ hasCredentials, scheme }: Strategy): CredentialsTest | undefined {
  return hasCredentials ?? (scheme && testOf(scheme));
}

function testOf(scheme: SecurityScheme): CredentialsTest {
  if (scheme.type === 'http') return ({ headers }) => headers.authorization !== undefined;
  const name = scheme.name.toLowerCase();
  if (scheme.in === 'header') return ({ headers }) => headers[name] !== undefined;
  return ({ headers: { cookie = '' } }) => namesIn(cookie).includes(scheme.name);
}

/** Returns the names in a `Cookie` header (RFC 6265 §4.2.1). */
function namesIn(cookie: string): string[] {
  return cookie.split(';').map((pair) => pair.split('=', 1).join().trim());
}
