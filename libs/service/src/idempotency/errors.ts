import { type ErrorReply, HttpError } from '@app/http-errors';

/** An error of a request with an `Idempotency-Key`. */
abstract class IdempotencyError extends HttpError {
  constructor(readonly reply: ErrorReply) {
    super(String(reply.message));
  }
}

/** The key is empty, too long, or has characters that a key must not have. */
export class InvalidKeyError extends IdempotencyError {
  override readonly name = 'InvalidKeyError';

  constructor() {
    super({ status: 400, message: 'Idempotency-Key must be 1 to 255 visible ASCII characters' });
  }
}

/** The request with this key has no response yet. */
export class KeyInProgressError extends IdempotencyError {
  override readonly name = 'KeyInProgressError';

  constructor() {
    super({
      status: 409,
      message: 'a request with this Idempotency-Key is in progress, try again shortly',
      headers: { 'Retry-After': '1' },
    });
  }
}

/** The caller has sent another request with this key. */
export class KeyReusedError extends IdempotencyError {
  override readonly name = 'KeyReusedError';

  constructor() {
    super({
      status: 422,
      message: 'this Idempotency-Key belongs to a request with another path or body: send a new key',
    });
  }
}
