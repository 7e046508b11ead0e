import { httpError, retryParams } from '@app/http-errors';

/** The program has no identity provider of this name. */
export const ProviderNotFoundError = httpError('ProviderNotFoundError', 404, 'identity-provider-not-found', {
  title: 'There is no such identity provider',
  remedy: 'List them (`GET /auth/providers`).',
  reply: 'there is no such identity provider',
});

/** The identity provider does not respond, or its metadata is unusable. */
export const ProviderUnavailableError = httpError(
  'ProviderUnavailableError',
  503,
  'identity-provider-unavailable',
  {
    title: 'The identity provider is unavailable',
    remedy: 'Repeat the request after `Retry-After` seconds, or sign in another way.',
    params: retryParams,
    reply: (waitMs: number) => ({
      message: 'the identity provider is unavailable: try again later, or sign in another way',
      waitMs,
    }),
  },
);

/** The provider's response is invalid, used or expired. The reply does not reveal which. */
export const InvalidProviderResponseError = httpError(
  'InvalidProviderResponseError',
  400,
  'invalid-provider-response',
  {
    title: 'The response of the identity provider is invalid, used or expired',
    remedy: 'Begin again (`POST /auth/providers/{provider}/link`), and complete it once, within ten minutes.',
    reply: 'the response of the identity provider is not valid, was used or has expired: begin again',
  },
);

/** The e-mail belongs to an existing account, but the identity has no account yet. */
export const IdentityEmailConflictError = httpError(
  'IdentityEmailConflictError',
  409,
  'identity-email-conflict',
  {
    title: 'Another account has the e-mail of the identity',
    remedy:
      'Sign in to that account another way, and link the provider to it (`POST /auth/providers/{provider}/link`).',
    reply: (options?: ErrorOptions) => ({
      message: 'an account has this e-mail: sign in to it another way, and link the identity provider',
      log: 'another account has the e-mail of the identity',
      ...options,
    }),
  },
);

/** The identity has no account, and the provider only accepts existing accounts. */
export const IdentityNotLinkedError = httpError('IdentityNotLinkedError', 403, 'identity-not-linked', {
  title: 'The identity has no account',
  remedy:
    'Sign in to an account another way, and link the provider to it (`POST /auth/providers/{provider}/link`).',
  reply: 'this identity has no account: sign in another way, and link the identity provider',
});
