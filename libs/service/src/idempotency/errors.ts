import { httpError, retryParams } from '@app/http-errors';

/** The error for a key that is empty, too long, or contains forbidden characters. */
export const InvalidKeyError = httpError('InvalidKeyError', 400, 'invalid-idempotency-key', {
  title: 'The header Idempotency-Key is invalid',
  remedy: 'Send 1 to 255 visible ASCII characters, such as a UUID.',
  reply: 'Idempotency-Key must be 1 to 255 visible ASCII characters',
});

/** The error for a key with a first request that is still in progress. */
export const KeyInProgressError = httpError('KeyInProgressError', 409, 'idempotency-key-in-progress', {
  title: 'A request with this Idempotency-Key is in progress',
  remedy:
    'Repeat the request with the same key after `Retry-After` seconds: it gets the response of the first.',
  params: retryParams,
  reply: () => ({
    message: 'a request with this Idempotency-Key is in progress, try again shortly',
    waitMs: 1000,
  }),
});

/** The error for a key that the caller has already sent with a different request. */
export const KeyReusedError = httpError('KeyReusedError', 422, 'idempotency-key-reused', {
  title: 'The Idempotency-Key belongs to a different request',
  remedy: 'Send a new key. Only a retry, with the same path and body, has the key of an earlier request.',
  reply: 'this Idempotency-Key belongs to a request with another path or body: send a new key',
});
