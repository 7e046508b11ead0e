import { httpError } from '@app/http-errors';
import { readDuration } from '@app/settings';
import { facet } from './facet';
import { twoFactors } from './two-factors.facet';

/** The caller's sign-in is older than the route permits, or its time is unknown. The message is fixed: clients react to it. */
export const ReauthenticationRequiredError = httpError(
  'ReauthenticationRequiredError',
  403,
  'reauthentication-required',
  {
    title: 'The sign-in is too old for this',
    remedy: 'Ask the user to sign in again, and repeat the request with the new access token.',
    log: 'The sign-in of the caller is too old for this route. Sign in again.',
    reply: 'a recent sign-in is needed',
  },
);

export const recent = facet<number>({
  name: 'maxAgeSeconds',
  decorator: '@Recent()',
  error: ReauthenticationRequiredError,
  isMet: ({ authTime }, maxAgeSeconds) => isRecentSignIn(authTime, maxAgeSeconds),
  description: (maxAgeSeconds) => `403 unless the caller signed in within ${maxAgeSeconds / 60} minutes.`,
  summary: (maxAgeSeconds) => `signed in within ${maxAgeSeconds} s`,
});

/** What a recent sign-in must have been. */
export interface RecentOptions {
  /** `2`: by two factors; default 1. */
  readonly factors?: 1 | 2;
}

/**
 * Requires that the caller signed in within a time: `authTime` of the caller, and `mfa` in its `amr` for two factors; others get 403.
 * For what a stolen token must not change. A handler's decorator overrides its class's.
 *
 * @param maxAge such as `15m`
 * @throws TypeError if it is not a duration
 */
export function Recent(
  maxAge: string,
  { factors = 1 }: RecentOptions = {},
): ClassDecorator & MethodDecorator {
  const ms = readDuration(maxAge) ?? 0;
  if (ms < 1000) throw new TypeError(`@Recent(${JSON.stringify(maxAge)}) must be like '15m'`);
  const setters = [recent.set(ms / 1000), twoFactors.set(factors === 2 && true)];
  return (...target: [object, (string | symbol)?, PropertyDescriptor?]) => {
    for (const set of setters) Reflect.apply(set, undefined, target);
  };
}

/** Permitted clock skew between machines. */
const MAX_SKEW_SECONDS = 60;

/**
 * Whether a sign-in is recent, as `@Recent()` requires. A time in the future is one of a clock that was set back since: what is older
 * than it seems is not recent.
 *
 * @param authTime of the caller, in seconds since 1970; anything but a number is not recent
 */
export function isRecentSignIn(authTime: unknown, maxAgeSeconds: number): boolean {
  if (typeof authTime !== 'number') return false;
  const age = Date.now() / 1000 - authTime;
  return age <= maxAgeSeconds && age >= -MAX_SKEW_SECONDS;
}
