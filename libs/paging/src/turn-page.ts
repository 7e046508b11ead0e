import type { Slice } from './slice';
import { decodeCursor, encodeCursor } from './cursor';
import { PageTooDeepError } from './errors';
import { maxOffset, type PaginationQuery } from './pagination-query';

/** What is told of a page beside its body: the part of Fastify's reply that it takes. */
export interface PageReply {
  readonly request: { readonly url: string };
  header(name: string, value: string): unknown;
}

/** One page of a list, as the query asked for it. */
export interface TurnedPage<Row> {
  readonly items: Row[];
  readonly page: number;
  readonly limit: number;
  /** `null` when this is the last. */
  readonly nextPage: number | null;
}

/**
 * Answers a request for one page, and links to its neighbours. The link to the next page carries a
 * cursor: a reader who follows it costs the store as little on the thousandth page as on the first.
 *
 * @param list reads a slice in the list's own order; asked for one row more than the page holds
 * @throws PageTooDeepError for a page without a cursor that begins after more than {@link maxOffset} rows
 * @see RFC 8288 (the field `Link`)
 */
export async function turnPage<Row extends { readonly id: number }>(
  query: PaginationQuery,
  reply: PageReply,
  list: (slice: Slice) => Promise<Row[]>,
): Promise<TurnedPage<Row>> {
  const { page, limit } = query;
  if (query.after === undefined && query.offset > maxOffset) throw new PageTooDeepError();
  const rows = await list(sliceOf(query));
  const items = rows.slice(0, limit);
  const nextPage = rows.length > limit ? page + 1 : null;
  void reply.header(
    'Link',
    links(reply.request.url, query, nextPage === null ? undefined : items.at(-1)?.id),
  );
  return { items, page, limit, nextPage };
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

/** Most queries of lists narrow nothing, and need not be read again. */
const ofPagesAlone = /^(?:(?:limit|page|after)=[^&]*(?:&|$))*$/;

/** What narrows the list stays in its links; it was sent percent-encoded, and is written so again. */
function filterOf(query: string | undefined): string {
  if (query === undefined || ofPagesAlone.test(query)) return '';
  const filter = new URLSearchParams(query);
  for (const name of ['limit', 'page', 'after']) filter.delete(name);
  return filter.size === 0 ? '' : `${filter.toString()}&`;
}
