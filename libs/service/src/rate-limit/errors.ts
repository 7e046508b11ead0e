import { httpError, retryParams } from '@app/http-errors';

/** The caller has more files underway than a single caller may have. */
export const TooManyOpenResponsesError = httpError(
  'TooManyOpenResponsesError',
  429,
  'too-many-open-responses',
  {
    title: 'The caller reads too many files at once',
    remedy: 'Read the earlier responses first, then repeat the request.',
    params: retryParams,
    log: 'Too many files are being sent to one caller, which does not read them, or requests many at once.',
    reply: () => ({ message: 'too many files are being sent to you, read them first', waitMs: 1000 }),
  },
);

/** The program already sends as many files as it may, and all sends began only a moment ago. */
export const ResponsesExhaustedError = httpError('ResponsesExhaustedError', 503, 'too-many-files-underway', {
  title: 'The service sends too many files already',
  remedy: 'Repeat the request after `Retry-After` seconds.',
  params: retryParams,
  log: 'Too many files are being sent.',
  reply: () => ({ message: 'too many files are being sent, try again later', waitMs: 1000 }),
});

/** The caller has sent more requests than the route's limit. */
export const RateLimitedError = httpError('RateLimitedError', 429, 'rate-limited', {
  title: 'The caller sends too many requests',
  remedy:
    'Repeat the request after `Retry-After` seconds. `RateLimit` and `RateLimit-Policy` state the limit.',
  params: retryParams,
  log: 'Too many requests of one caller. Wait, or raise the limit of the route or RATE_LIMIT.',
  reply: (seconds: number) => ({ message: 'too many requests, try again later', waitMs: seconds * 1000 }),
});
