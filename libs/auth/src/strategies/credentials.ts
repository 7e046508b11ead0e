import type { AuthRequest, SecurityScheme, Strategy } from './strategy';

/** Whether a request carries credentials, valid or not. */
export type CredentialsTest = (request: AuthRequest) => boolean;

/**
 * How a strategy tells a request with credentials, which may be invalid, from one without any.
 *
 * @returns `undefined` if it has neither `hasCredentials` nor a scheme
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

/** The names of the cookies of a request. @see RFC 6265 §4.2.1 */
function namesIn(cookie: string): string[] {
  return cookie.split(';').map((pair) => pair.split('=', 1).join().trim());
}
