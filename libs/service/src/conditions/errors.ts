import { httpError } from '@app/http-errors';

/** The error for an `If-Match` that does not list the current entity tag, because somebody else has changed the resource. */
export const PreconditionFailedError = httpError('PreconditionFailedError', 412, 'precondition-failed', {
  title: 'The resource was changed since it was read',
  remedy: 'Read the resource again, apply the change to it, and send its new `ETag` as `If-Match`.',
  reply: 'the resource was changed since: read it again, and send its new ETag as If-Match',
});

/** The error for a change if `If-None-Match` lists the current entity tag, or any (`*`). @see RFC 9110 §13.1.2 */
export const ExcludedRepresentationError = httpError(
  'ExcludedRepresentationError',
  412,
  'if-none-match-failed',
  {
    title: 'If-None-Match excludes the resource',
    remedy:
      'Omit `If-None-Match`. To change only the version that you have read, send its `ETag` as `If-Match`.',
    reply: 'the resource has an ETag that If-None-Match excludes',
  },
);

/** The error for a request without the required `If-Match`. @see RFC 6585 §3 */
export const PreconditionRequiredError = httpError(
  'PreconditionRequiredError',
  428,
  'precondition-required',
  {
    title: 'The header If-Match is missing',
    remedy: 'Read the resource, and send its `ETag` as `If-Match`.',
    reply: 'send the ETag of the resource as If-Match',
  },
);
