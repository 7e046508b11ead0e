import { httpError } from '@app/http-errors';
import { maxOffset } from './pagination-query';

/** A page number that skips too many rows, all of which the store would have to read. */
export const PageOutOfRangeError = httpError('PageOutOfRangeError', 400, 'page-out-of-range', {
  title: 'The page skips too many rows',
  remedy: 'Follow the `next` link of the header `Link`, which has a cursor (`after`).',
  params: { maxRows: 'integer' },
  namesMembers: true,
  reply: () =>
    about(
      'page',
      `page must not skip more than ${maxOffset} rows; follow the next link of the Link header instead, which has a cursor`,
      { maxRows: maxOffset },
    ),
});

/** A cursor that this list did not return in this order. */
export const InvalidCursorError = httpError('InvalidCursorError', 400, 'invalid-cursor', {
  title: 'The cursor belongs to a different list or order',
  remedy: 'Read the list from its first page, without `after`; then follow the `next` links.',
  namesMembers: true,
  reply: () => about('after', 'after must be a cursor from an earlier response of this list in this order'),
});

/** Makes an error about a query parameter, in both message forms. */
function about(field: string, detail: string, params?: { readonly maxRows: number }) {
  const message = [detail];
  return {
    message,
    details: [{ field, messages: message }],
    params,
    members: [[field]],
    in: 'query',
  } as const;
}
