import { type ErrorReply, HttpError, problemType, retryLater, retryParams } from '@app/http-errors';

/** The caller has sent more requests than the limit of the route. */
export class RateLimitedError extends HttpError {
  static readonly problem = problemType({
    code: 'rate-limited',
    status: 429,
    title: 'Too many requests of one caller',
    remedy:
      'Repeat the request after `Retry-After` seconds. `RateLimit` and `RateLimit-Policy` say what is allowed.',
    params: retryParams,
  });
  override readonly name = 'RateLimitedError';
  readonly reply: ErrorReply;

  /** @param seconds until the caller may send again */
  constructor(seconds: number) {
    super('Too many requests of one caller. Wait, or raise the limit of the route or RATE_LIMIT.');
    this.reply = retryLater(RateLimitedError.problem, 'too many requests, try again later', seconds * 1000);
  }
}
