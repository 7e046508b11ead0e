import type { Slice } from './slice';
import { decodeCursor, encodeCursor, type Position } from './cursor';
import { endBySize, type Portion, textSize } from './end-by-size';
import { InvalidCursorError, PageOutOfRangeError } from './errors';
import { filterOf } from './filterable';
import type { PageOf } from './page';
import { maxOffset, type PaginationQuery } from './pagination-query';
import { type Sort, sortOf } from './sortable';

/** The part of Fastify's reply that the `Link` header needs. */
export interface PageReply {
  readonly request: { readonly url: string };
  header(name: string, value: string): unknown;
}

/**
 * The estimated maximum page size, in JSON characters. A page with a single row may be larger. A page is written within a single
 * event loop turn.
 */
export const maxPageSize = 256 * 1024;

/**
 * Reads a page, and sets the `Link` header to the first, previous and next page. The next link has a keyset cursor, with which
 * the thousandth page costs as much as the first. A page ends after `limit` rows, or earlier by size ({@link maxPageSize}); the
 * link continues where it ended.
 *
 * @param list reads a slice, in the order of its `sort` if it has a `sort`; called for an additional row beyond the page. A list
 *   that ends earlier by row size returns a {@link Portion}, which is not measured again
 * @throws InvalidCursorError for a cursor with a different list or order
 * @throws PageOutOfRangeError for a page without a cursor that skips more than {@link maxOffset} rows
 * @see RFC 8288 (the field `Link`)
 */
export async function paginate<Row extends { readonly id: number }>(
  query: PaginationQuery,
  reply: PageReply,
  list: (slice: Slice) => Promise<Row[] | Portion<Row>>,
): Promise<PageOf<Row>> {
  const { page, limit } = query;
  if (query.after === undefined && query.offset > maxOffset) throw new PageOutOfRangeError();
  const sort = sortOf(query);
  const [path = '', asked] = reply.request.url.split('?', 2);
  const name = `${path} ${query.sort ?? ''}`;
  const { items, hasMore } = pageOf(await list(sliceOf(query, name, sort)), limit);
  const last = hasMore ? items.at(-1) : undefined;
  const next = last && encodeCursor(name, positionOf(last, sort));
  void reply.header('Link', links(path, asked, query, next));
  return { items, page, limit, nextPage: hasMore ? page + 1 : null };
}

function pageOf<Row>(listed: Row[] | Portion<Row>, limit: number): { items: Row[]; hasMore: boolean } {
  const all = Array.isArray(listed) ? listed : listed.rows;
  const rows = all.slice(0, limit);
  const page = Array.isArray(listed) ? endBySize(rows, textSize, maxPageSize) : { ...listed, rows };
  return { items: page.rows, hasMore: page.isCut || all.length > limit };
}

function sliceOf(query: PaginationQuery, list: string, sort: Sort | undefined): Slice {
  const { limit, offset } = query;
  const { id, value, isCut } = positionIn(query, list, sort);
  const filter = filterOf(query);
  return { limit: limit + 1, offset, after: id, sort, afterValue: value, isAfterCut: isCut, filter };
}

function positionIn({ after }: PaginationQuery, list: string, sort: Sort | undefined): Partial<Position> {
  if (after === undefined) return {};
  const position = decodeCursor(list, after, sort);
  if (position === undefined) throw new InvalidCursorError();
  return position;
}

function positionOf(row: { readonly id: number }, sort: Sort | undefined): Position {
  if (sort === undefined) return { id: row.id };
  const value = sort.read(encoded(Reflect.get(row, sort.name)));
  if (value === undefined) throw new TypeError(`a row has no ${sort.name} by which a list can be sorted`);
  return { id: row.id, value };
}

/** Returns a value as it appears in JSON. */
function encoded(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}

function links(
  path: string,
  asked: string | undefined,
  { page, limit }: PaginationQuery,
  next: string | undefined,
): string {
  const others = otherParameters(asked);
  const link = (rel: string, place: string) => `<${path}?${others}limit=${limit}&${place}>; rel="${rel}"`;
  return [
    link('first', 'page=1'),
    ...(page > 1 && (page - 2) * limit <= maxOffset ? [link('prev', `page=${page - 1}`)] : []),
    ...(next === undefined ? [] : [link('next', `page=${page + 1}&after=${next}`)]),
  ].join(', ');
}

/** Matches queries with only paging parameters. Most queries match and need no second parsing. */
const onlyPaging = /^(?:(?:limit|page|after)=[^&]*(?:&|$))*$/;

/** Returns the parameters that stay in the links: the filters and the order, percent-encoded. */
function otherParameters(query: string | undefined): string {
  if (query === undefined || onlyPaging.test(query)) return '';
  const others = new URLSearchParams(query);
  for (const name of ['limit', 'page', 'after']) others.delete(name);
  return others.size === 0 ? '' : `${others.toString()}&`;
}
