import { type ErrorReply, HttpError } from '@app/http-errors';
import { StoreUnavailableError, UnstorableTextError } from '@app/persistence';

/** Sent as `Retry-After`; the store usually reconnects within that time. */
const storeRetrySeconds = 2;

const storeUnavailable: ErrorReply = Object.freeze({
  status: 503,
  message: 'the store is unavailable, try again shortly',
  headers: Object.freeze({ 'Retry-After': String(storeRetrySeconds) }),
});

const unstorableText: ErrorReply = Object.freeze({
  status: 400,
  message: 'text must not contain NUL characters or unpaired surrogates',
});

/** @returns the reply to an error of one of our libraries; `undefined` for every other value */
export function replyOf(error: unknown): ErrorReply | undefined {
  if (error instanceof HttpError) return error.reply;
  if (error instanceof StoreUnavailableError) return storeUnavailable;
  return error instanceof UnstorableTextError ? unstorableText : undefined;
}
