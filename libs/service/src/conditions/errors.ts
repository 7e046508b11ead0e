import { type ErrorReply, HttpError } from '@app/http-errors';

/** `If-Match` does not list the current entity tag: somebody else has changed the resource. */
export class PreconditionFailedError extends HttpError {
  override readonly name = 'PreconditionFailedError';
  readonly reply: ErrorReply = {
    status: 412,
    message: 'the resource was changed since: read it again, and send its new ETag as If-Match',
  };
}

/** A route that requires `If-Match` got a request without it; @see RFC 6585 §3 */
export class PreconditionRequiredError extends HttpError {
  override readonly name = 'PreconditionRequiredError';
  readonly reply: ErrorReply = { status: 428, message: 'send the ETag of the resource as If-Match' };
}
