import { httpError } from '@app/http-errors';
import { facet, type GuardedCaller } from './facet';

/** The caller has scopes, or a token of a trusted issuer. The message is fixed, because clients react to it. */
export const DirectSignInRequiredError = httpError(
  'DirectSignInRequiredError',
  403,
  'direct-sign-in-required',
  {
    title: 'The caller signed in elsewhere, or has scopes',
    remedy: 'Ask the user to sign in with this program, and repeat the request with the new access token.',
    log: 'The caller has scopes, or a token of a trusted issuer. Sign in with this program.',
    reply: 'a direct sign-in is needed',
  },
);

export const directSignIn = facet<true>({
  name: 'needsDirectSignIn',
  decorator: '@DirectSignIn()',
  error: DirectSignInRequiredError,
  isMet: isDirectSignIn,
  description: () => '403 for callers with scopes, and for tokens of trusted issuers.',
  summary: () => 'direct sign-in',
});

/** Returns whether a caller signed in with this program and has no scopes, as `@DirectSignIn()` requires. */
export function isDirectSignIn({ scopes, issued }: Pick<GuardedCaller, 'scopes' | 'issued'>): boolean {
  return scopes === undefined && issued === undefined;
}

/**
 * Requires a caller who signed in with this program and has no scopes. Other callers get 403. Use it for routes that change how
 * a user signs in, because a restricted caller could create unrestricted access there. A handler's decorator overrides its
 * class's.
 *
 * @param isNeeded `false` declares that a route only creates access within its caller's
 */
export const DirectSignIn = (isNeeded = true): ClassDecorator & MethodDecorator =>
  directSignIn.set(isNeeded && true);
