import { httpError, retryParams } from '@app/http-errors';

/** The program has failed to read the issuer's keys since its start, or failed to ask the issuer about the token. */
export const TrustedIssuerUnavailableError = httpError(
  'TrustedIssuerUnavailableError',
  503,
  'trusted-issuer-unavailable',
  {
    title: 'The issuer of the token is unavailable',
    remedy: 'Repeat the request after `Retry-After` seconds.',
    params: retryParams,
    reply: (waitMs: number) => ({
      message: 'the issuer of the token is unavailable, try again shortly',
      log: 'The keys of a trusted issuer could not be read yet, or it could not be asked about a token.',
      waitMs,
    }),
  },
);
