import { type ErrorReply, HttpError, retryLater } from '@app/http-errors';

/** The caller has sent more requests than the limit of the route. */
export class RateLimitedError extends HttpError {
  override readonly name = 'RateLimitedError';
  readonly reply: ErrorReply;

  /** @param seconds until the caller may send again */
  constructor(seconds: number) {
    super('Too many requests of one caller. Wait, or raise the limit of the route or RATE_LIMIT.');
    this.reply = retryLater(429, 'too many requests, try again later', seconds * 1000);
  }
}
