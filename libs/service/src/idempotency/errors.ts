import { type ErrorReply, HttpError, problemType, retryParams } from '@app/http-errors';

/** An error of a request with an `Idempotency-Key`. */
abstract class IdempotencyError extends HttpError {
  constructor(readonly reply: ErrorReply) {
    super(String(reply.message));
  }
}

/** The key is empty, too long, or has characters that a key must not have. */
export class InvalidKeyError extends IdempotencyError {
  static readonly problem = problemType({
    code: 'invalid-idempotency-key',
    status: 400,
    title: 'The header Idempotency-Key is invalid',
    remedy: 'Send 1 to 255 visible ASCII characters, such as a UUID.',
  });
  override readonly name = 'InvalidKeyError';

  constructor() {
    super({
      status: 400,
      message: 'Idempotency-Key must be 1 to 255 visible ASCII characters',
      problem: InvalidKeyError.problem,
    });
  }
}

/** The request with this key has no response yet. */
export class KeyInProgressError extends IdempotencyError {
  static readonly problem = problemType({
    code: 'idempotency-key-in-progress',
    status: 409,
    title: 'A request with this Idempotency-Key is in progress',
    remedy:
      'Repeat the request with the same key after `Retry-After` seconds: it gets the response of the first.',
    params: retryParams,
  });
  override readonly name = 'KeyInProgressError';

  constructor() {
    super({
      status: 409,
      message: 'a request with this Idempotency-Key is in progress, try again shortly',
      headers: { 'Retry-After': '1' },
      problem: KeyInProgressError.problem,
      params: { retryAfterSeconds: 1 },
    });
  }
}

/** The caller has sent another request with this key. */
export class KeyReusedError extends IdempotencyError {
  static readonly problem = problemType({
    code: 'idempotency-key-reused',
    status: 422,
    title: 'The Idempotency-Key belongs to another request',
    remedy: 'Send a new key. Only a retry, with the same path and body, has the key of an earlier request.',
  });
  override readonly name = 'KeyReusedError';

  constructor() {
    super({
      status: 422,
      message: 'this Idempotency-Key belongs to a request with another path or body: send a new key',
      problem: KeyReusedError.problem,
    });
  }
}
