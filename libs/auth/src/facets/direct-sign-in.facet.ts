import { httpError } from '@app/http-errors';
import { facet, type GuardedCaller } from './facet';

/** The caller has scopes, or a token of a trusted issuer. The message is fixed: clients react to it. */
export const DirectSignInRequiredError = httpError(
  'DirectSignInRequiredError',
  403,
  'direct-sign-in-required',
  {
    title: 'The caller did not sign in here, or has scopes',
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

/** Whether a caller signed in with this program, and has no scopes, as `@DirectSignIn()` requires. */
export function isDirectSignIn({ scopes, issued }: Pick<GuardedCaller, 'scopes' | 'issued'>): boolean {
  return scopes === undefined && issued === undefined;
}

/**
 * Requires that the caller signed in with this program, and has no scopes; others get 403. For routes that change how the caller, or another user, can
 * sign in: access that a restricted caller creates there would not be restricted. A handler's decorator overrides its class's.
 *
 * @param isNeeded `false` says that a route creates no access, or none that is wider than its caller
 */
export const DirectSignIn = (isNeeded = true): ClassDecorator & MethodDecorator =>
  directSignIn.set(isNeeded && true);
