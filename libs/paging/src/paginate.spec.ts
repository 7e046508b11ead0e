import { plainToInstance } from 'class-transformer';
import { decodeCursor, encodeCursor } from './cursor';
import { PageOutOfRangeError } from './errors';
import { PaginationQuery } from './pagination-query';
import type { Slice } from './slice';
import { maxPageSize, paginate } from './paginate';

interface Note {
  readonly id: number;
  readonly text: string;
}

/** Reads the whole list by its next links, and returns the number of rows of each page. */
async function pagesOf(limit: number, list: (slice: Slice) => Promise<Note[]>): Promise<number[]> {
  const sizes: number[] = [];
  let after: string | undefined;
  do {
    const query = plainToInstance(PaginationQuery, { limit: String(limit), ...(after && { after }) });
    let link = '';
    const reply = {
      request: { url: '/notes' },
      header: (_: string, value: string) => (link = value),
    };
    sizes.push((await paginate(query, reply, list)).items.length);
    after = /after=([\w-]+)>; rel="next"/.exec(link)?.[1];
  } while (after !== undefined);
  return sizes;
}

function notes(...lengths: number[]) {
  const all = lengths.map((length, index): Note => ({ id: index + 1, text: 'x'.repeat(length) }));
  return async ({ limit, after = 0 }: Slice) => all.filter(({ id }) => id > after).slice(0, limit);
}

const half = maxPageSize / 2;

describe('a page', () => {
  it('ends by rows', async () => {
    expect(await pagesOf(2, notes(1, 1, 1, 1, 1))).toEqual([2, 2, 1]);
  });

  it('ends by size, and its next link continues where it ended', async () => {
    expect(await pagesOf(5, notes(half, half, half, 1, 1, 1))).toEqual([1, 1, 4]);
    expect(await pagesOf(5, notes(half - 100, half - 100, 300, 1))).toEqual([2, 2]);
  });

  it('has at least one row, however large it is', async () => {
    expect(await pagesOf(5, notes(maxPageSize, 1, 2 * maxPageSize))).toEqual([1, 1, 1]);
  });

  it('continues where its store ended it', async () => {
    const list = notes(1, 1, 1, 1, 1);
    const cut = async (slice: Slice) => {
      const rows = await list(slice);
      return { rows: rows.slice(0, 2), isCut: rows.length > 2 };
    };
    const headers: string[] = [];
    const reply = { request: { url: '/notes' }, header: (_: string, value: string) => headers.push(value) };
    const page = await paginate(plainToInstance(PaginationQuery, { limit: '4' }), reply, cut);
    expect([page.items.map(({ id }) => id), page.nextPage]).toEqual([[1, 2], 2]);
    const [, next = ''] = /after=([\w-]+)>; rel="next"/.exec(headers[0] ?? '') ?? [];
    expect(decodeCursor('/notes ', next)).toEqual({ id: 2 });
  });

  it('is not measured again if its store ended it by size', async () => {
    const list = notes(half, half, half);
    const portion = async (slice: Slice) => ({ rows: await list(slice), isCut: false });
    const reply = { request: { url: '/notes' }, header: () => undefined };
    const page = await paginate(plainToInstance(PaginationQuery, { limit: '5' }), reply, portion);
    expect([page.items.length, page.nextPage]).toEqual([3, null]);
  });

  it('is the last one if it ends with the last row', async () => {
    expect(await pagesOf(2, notes(1, 1, 1, 1))).toEqual([2, 2]);
  });

  it('skips ten thousand rows by its number, and no more', async () => {
    const linkTo = async (page: string, limit: string) => {
      let link = '';
      const reply = { request: { url: '/notes' }, header: (_: string, value: string) => (link = value) };
      await paginate(plainToInstance(PaginationQuery, { page, limit }), reply, notes(1));
      return link;
    };
    await expect(linkTo('101', '100')).resolves.toContain('page=100>; rel="prev"');
    await expect(linkTo('102', '100')).rejects.toThrow(PageOutOfRangeError);
  });

  it('links to none before it that skips too many rows', async () => {
    const after = encodeCursor('/notes ', { id: 1 });
    const headers: string[] = [];
    const reply = { request: { url: '/notes' }, header: (_: string, value: string) => headers.push(value) };
    await paginate(
      plainToInstance(PaginationQuery, { page: '103', limit: '100', after }),
      reply,
      notes(1, 1),
    );
    expect(headers[0]).not.toContain('prev');
  });

  it('keeps the filters of its list in its links', async () => {
    const headers: string[] = [];
    const url = '/notes?page=1&author=a%26b&limit=1';
    const reply = { request: { url }, header: (_: string, value: string) => headers.push(value) };
    await paginate(plainToInstance(PaginationQuery, { limit: '1' }), reply, notes(1, 1));
    expect(headers[0]).toMatch(
      /^<\/notes\?author=a%26b&limit=1&page=1>; rel="first", .*author=a%26b&limit=1&page=2&/,
    );
  });

  it('does not continue with a cursor of another list', async () => {
    const after = encodeCursor('/tasks ', { id: 1 });
    const reply = { request: { url: '/notes' }, header: () => undefined };
    const reading = paginate(plainToInstance(PaginationQuery, { after }), reply, notes(1));
    await expect(reading).rejects.toMatchObject({
      reply: {
        status: 400,
        message: ['after must be a cursor from an earlier response of this list in this order'],
      },
    });
  });
});
