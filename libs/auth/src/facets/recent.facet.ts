import { httpError } from '@app/http-errors';
import { readDuration } from '@app/settings';
import { facet } from './facet';
import { twoFactors } from './two-factors.facet';

/** The caller's sign-in is too old for the route, or its time is unknown. The message is fixed, because clients react to it. */
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

/** Options of {@link Recent}. */
export interface RecentOptions {
  /** The number of required factors; default 1. */
  readonly factors?: 1 | 2;
}

/**
 * Requires a recent sign-in. The guard compares the caller's `authTime`, and for two factors requires `mfa` in its `amr`. Other
 * callers get 403. Use it for changes that must be out of reach for a stolen token. A handler's decorator overrides its class's.
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

/** The permitted clock skew between machines. */
const MAX_SKEW_SECONDS = 60;

/**
 * Returns whether a sign-in is recent, as `@Recent()` requires. A time in the future does not count, because it comes from a
 * clock that was set back afterwards.
 *
 * @param authTime the caller's sign-in time in seconds since 1970; only numbers can be recent
 */
export function isRecentSignIn(authTime: unknown, maxAgeSeconds: number): boolean {
  if (typeof authTime !== 'number') return false;
  const age = Date.now() / 1000 - authTime;
  return age <= maxAgeSeconds && age >= -MAX_SKEW_SECONDS;
}
