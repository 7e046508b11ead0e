import { type ErrorReply, HttpError } from '@app/http-errors';
import { maxOffset } from './pagination-query';

/** A page number that skips too many rows, all of which the store would have to read. */
export class PageTooDeepError extends HttpError {
  override readonly name = 'PageTooDeepError';
  readonly reply: ErrorReply;

  constructor() {
    const message = [
      `page must not skip more than ${maxOffset} rows; follow the next link of the Link header instead, which has a cursor`,
    ];
    super(message[0]);
    this.reply = { status: 400, message, details: [{ field: 'page', messages: message }] };
  }
}

/** A cursor that this list did not return in this order. */
export class ForeignCursorError extends HttpError {
  override readonly name = 'ForeignCursorError';
  readonly reply: ErrorReply;

  constructor() {
    const message = ['after must be a cursor from an earlier response of this list in this order'];
    super(message[0]);
    this.reply = { status: 400, message, details: [{ field: 'after', messages: message }] };
  }
}
