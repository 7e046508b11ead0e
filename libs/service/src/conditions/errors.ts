import { type ErrorReply, HttpError, problemType } from '@app/http-errors';

/** `If-Match` does not list the current entity tag: somebody else has changed the resource. */
export class PreconditionFailedError extends HttpError {
  static readonly problem = problemType({
    code: 'changed-since',
    status: 412,
    title: 'The resource was changed since it was read',
    remedy:
      'Read the resource again, apply the change to what it is now, and send its new `ETag` as `If-Match`.',
  });
  override readonly name = 'PreconditionFailedError';
  readonly reply: ErrorReply = {
    status: 412,
    message: 'the resource was changed since: read it again, and send its new ETag as If-Match',
    problem: PreconditionFailedError.problem,
  };
}

/** `If-None-Match` of a change lists the current entity tag, or any (`*`); @see RFC 9110 §13.1.2 */
export class ExcludedRepresentationError extends HttpError {
  static readonly problem = problemType({
    code: 'if-none-match-failed',
    status: 412,
    title: 'The resource is one that If-None-Match excludes',
    remedy:
      'Send the request without `If-None-Match`; to change only what you have read, send its `ETag` as `If-Match`.',
  });
  override readonly name = 'ExcludedRepresentationError';
  readonly reply: ErrorReply = {
    status: 412,
    message: 'the resource has an ETag that If-None-Match excludes',
    problem: ExcludedRepresentationError.problem,
  };
}

/** A route that requires `If-Match` got a request without it; @see RFC 6585 §3 */
export class PreconditionRequiredError extends HttpError {
  static readonly problem = problemType({
    code: 'if-match-required',
    status: 428,
    title: 'The header If-Match is missing',
    remedy: 'Read the resource, and send its `ETag` as `If-Match`.',
  });
  override readonly name = 'PreconditionRequiredError';
  readonly reply: ErrorReply = {
    status: 428,
    message: 'send the ETag of the resource as If-Match',
    problem: PreconditionRequiredError.problem,
  };
}
