import type { Slice } from './slice';
import { decodeCursor, encodeCursor } from './cursor';
import { endBySize, type Portion, textSize } from './end-by-size';
import { PageTooDeepError } from './errors';
import { maxOffset, type PaginationQuery } from './pagination-query';

/** The part of Fastify's reply that the `Link` header needs. */
export interface PageReply {
  readonly request: { readonly url: string };
  header(name: string, value: string): unknown;
}

/** One page of a list. */
export interface PageResult<Row> {
  readonly items: Row[];
  readonly page: number;
  readonly limit: number;
  /** `null` when this is the last. */
  readonly nextPage: number | null;
}

/**
 * Maximum size of a page, in characters of its JSON, estimated; a page of one row may be larger. A page is written in one
 * turn of the event loop.
 */
export const maxPageSize = 256 * 1024;

/**
 * Reads one page, and sets the `Link` header to the first, previous and next page. The link to the next page has a keyset
 * cursor, with which the thousandth page costs as much as the first. A page ends after `limit` rows, or earlier by size
 * ({@link maxPageSize}); the link continues where it ended.
 *
 * @param list reads a slice in the list's own order; called with one row more than the page holds. It may end earlier
 *   because of the size of the rows, and say so
 * @throws PageTooDeepError for a page without a cursor that skips more than {@link maxOffset} rows
 * @see RFC 8288 (the field `Link`)
 */
export async function paginate<Row extends { readonly id: number }>(
  query: PaginationQuery,
  reply: PageReply,
  list: (slice: Slice) => Promise<Row[] | Portion<Row>>,
): Promise<PageResult<Row>> {
  const { page, limit } = query;
  if (query.after === undefined && query.offset > maxOffset) throw new PageTooDeepError();
  const { items, hasMore } = pageOf(await list(sliceOf(query)), limit);
  const nextPage = hasMore ? page + 1 : null;
  void reply.header(
    'Link',
    links(reply.request.url, query, nextPage === null ? undefined : items.at(-1)?.id),
  );
  return { items, page, limit, nextPage };
}

function pageOf<Row>(listed: Row[] | Portion<Row>, limit: number): { items: Row[]; hasMore: boolean } {
  const { rows, isCut } = Array.isArray(listed) ? { rows: listed, isCut: false } : listed;
  const page = endBySize(rows.slice(0, limit), textSize, maxPageSize);
  return { items: page.rows, hasMore: isCut || page.isCut || rows.length > limit };
}

function sliceOf({ limit, offset, after }: PaginationQuery): Slice {
  return { limit: limit + 1, offset, after: after === undefined ? undefined : decodeCursor(after) };
}

function links(url: string, { page, limit }: PaginationQuery, lastId: number | undefined): string {
  const [path, query] = url.split('?', 2);
  const filter = filterOf(query);
  const link = (rel: string, place: string) => `<${path}?${filter}limit=${limit}&${place}>; rel="${rel}"`;
  return [
    link('first', 'page=1'),
    ...(page > 1 && (page - 2) * limit <= maxOffset ? [link('prev', `page=${page - 1}`)] : []),
    ...(lastId === undefined ? [] : [link('next', `page=${page + 1}&after=${encodeCursor(lastId)}`)]),
  ].join(', ');
}

/** Most queries have no filter, and need not be parsed again. */
const onlyPaging = /^(?:(?:limit|page|after)=[^&]*(?:&|$))*$/;

/** Filters stay in the links, percent-encoded. */
function filterOf(query: string | undefined): string {
  if (query === undefined || onlyPaging.test(query)) return '';
  const filter = new URLSearchParams(query);
  for (const name of ['limit', 'page', 'after']) filter.delete(name);
  return filter.size === 0 ? '' : `${filter.toString()}&`;
}
