import { type ErrorReply, HttpError, jsonPointer, type ProblemType, problemType } from '@app/http-errors';
import { maxOffset } from './pagination-query';

/** A page number that skips too many rows, all of which the store would have to read. */
export class PageTooDeepError extends HttpError {
  static readonly problem = problemType({
    code: 'page-too-deep',
    status: 400,
    title: 'The page skips too many rows',
    remedy: 'Follow the `next` link of the header `Link`, which has a cursor (`after`).',
    params: { maxRows: 'integer' },
    namesMembers: true,
  });
  override readonly name = 'PageTooDeepError';
  readonly reply: ErrorReply;

  constructor() {
    const message = [
      `page must not skip more than ${maxOffset} rows; follow the next link of the Link header instead, which has a cursor`,
    ];
    super(message[0]);
    this.reply = replyAbout('page', message, PageTooDeepError.problem, { maxRows: maxOffset });
  }
}

/** A cursor that this list did not return in this order. */
export class ForeignCursorError extends HttpError {
  static readonly problem = problemType({
    code: 'foreign-cursor',
    status: 400,
    title: 'The cursor belongs to another list or order',
    remedy: 'Read the list from its first page, without `after`; then follow the `next` links.',
    namesMembers: true,
  });
  override readonly name = 'ForeignCursorError';
  readonly reply: ErrorReply;

  constructor() {
    const message = ['after must be a cursor from an earlier response of this list in this order'];
    super(message[0]);
    this.reply = replyAbout('after', message, ForeignCursorError.problem);
  }
}

function replyAbout(
  field: string,
  message: readonly string[],
  problem: ProblemType,
  params?: ErrorReply['params'],
): ErrorReply {
  const { code } = problem;
  const pointer = jsonPointer([field]);
  const listed = message.map((detail) => ({
    in: 'query' as const,
    pointer,
    code,
    params: { ...params },
    detail,
  }));
  return {
    status: 400,
    message,
    details: [{ field, messages: message }],
    problem,
    params,
    inputProblems: () => ({ listed, omitted: 0 }),
  };
}
