import { httpError } from '@app/http-errors';
import { facet } from './facet';

/** The caller signed in with a single factor. The message is fixed, because clients react to it. */
export const TwoFactorsRequiredError = httpError('TwoFactorsRequiredError', 403, 'two-factors-required', {
  title: 'The sign-in used a single factor',
  remedy:
    'Ask the user to enrol a second factor, to sign in with it, and repeat the request with the new access token.',
  log: 'The sign-in of the caller was by one factor. Sign in with a second one.',
  reply: 'a sign-in with two factors is needed',
});

/** The second part of `@Recent('15m', { factors: 2 })`. */
export const twoFactors = facet<true>({
  name: 'needsTwoFactors',
  decorator: '@Recent({ factors: 2 })',
  error: TwoFactorsRequiredError,
  isMet: ({ amr }) => Array.isArray(amr) && amr.includes('mfa'),
  description: () => '403 unless the caller signed in by two factors.',
  summary: () => 'two factors',
});
