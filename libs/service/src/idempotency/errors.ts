import { httpError, retryParams } from '@app/http-errors';

/** The key is empty, too long, or has characters that a key must not have. */
export const InvalidKeyError = httpError('InvalidKeyError', 400, 'invalid-idempotency-key', {
  title: 'The header Idempotency-Key is invalid',
  remedy: 'Send 1 to 255 visible ASCII characters, such as a UUID.',
  reply: 'Idempotency-Key must be 1 to 255 visible ASCII characters',
});

/** The request with this key has no response yet. */
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

/** The caller has sent another request with this key. */
export const KeyReusedError = httpError('KeyReusedError', 422, 'idempotency-key-reused', {
  title: 'The Idempotency-Key belongs to another request',
  remedy: 'Send a new key. Only a retry, with the same path and body, has the key of an earlier request.',
  reply: 'this Idempotency-Key belongs to a request with another path or body: send a new key',
});
