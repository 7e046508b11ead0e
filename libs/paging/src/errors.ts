import { type ErrorReply, HttpError } from '@app/http-errors';
import { maxOffset } from './pagination-query';

/** A page was asked for by its number, so far into the list that the store would read a great many rows to skip them. */
export class PageTooDeepError extends HttpError {
  override readonly name = 'PageTooDeepError';
  readonly reply: ErrorReply;

  constructor() {
    const message = [
      `page must not begin after more than ${maxOffset} rows; to read further, follow the next link of the field Link, which carries the cursor after`,
    ];
    super(message[0]);
    this.reply = { status: 400, message, details: [{ field: 'page', messages: message }] };
  }
}
