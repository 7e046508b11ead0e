import { type ErrorReply, HttpError, problemType, retryParams } from '@app/http-errors';
import { StoreUnavailableError, UnknownOutcomeError, UnstorableTextError } from '@app/persistence';

/** The `Retry-After` seconds. The store usually reconnects within that time. */
const storeRetrySeconds = 2;

/** The store cannot be reached, is full, or was locked for too long. */
export const storeUnavailableProblem = problemType({
  code: 'store-unavailable',
  status: 503,
  title: 'The store is unavailable',
  remedy:
    'Repeat the request after `Retry-After` seconds. Send writes with an `Idempotency-Key`, so that a write is done once.',
  params: retryParams,
});

/** The connection to the store was lost while it committed. */
export const unknownOutcomeProblem = problemType({
  code: 'unknown-outcome',
  status: 503,
  title: 'The outcome of the request is unknown',
  remedy:
    'It was done completely or not at all. Repeat it with the same `Idempotency-Key`, or first read the resource that it was to change.',
  params: retryParams,
});

/** A value that no database holds. */
export const unstorableProblem = problemType({
  code: 'unstorable-value',
  status: 400,
  title: 'A value cannot be stored',
  namesMembers: true,
  remedy:
    'Send text without NUL characters and unpaired surrogates, and numbers and dates in the range of the member.',
});

const retryLater = {
  params: Object.freeze({ retryAfterSeconds: storeRetrySeconds }),
  status: 503,
  headers: Object.freeze({ 'Retry-After': String(storeRetrySeconds) }),
};

const storeUnavailable: ErrorReply = Object.freeze({
  ...retryLater,
  problem: storeUnavailableProblem,
  message: 'the store is unavailable, try again shortly',
});

const unknownOutcome: ErrorReply = Object.freeze({
  ...retryLater,
  problem: unknownOutcomeProblem,
  message: 'it is not known whether the request was done: the connection to the store was lost',
});

const unstorableText: ErrorReply = Object.freeze({
  problem: unstorableProblem,
  status: 400,
  message: 'text must not contain NUL characters or unpaired surrogates',
});

/** Returns the reply to an error from our libraries; `undefined` for every other value. */
export function replyOf(error: unknown): ErrorReply | undefined {
  if (error instanceof HttpError) return error.reply;
  if (error instanceof UnknownOutcomeError) return unknownOutcome;
  if (error instanceof StoreUnavailableError) return storeUnavailable;
  return error instanceof UnstorableTextError ? unstorableText : undefined;
}
