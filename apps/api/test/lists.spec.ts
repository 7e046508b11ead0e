import { Public } from '@app/auth';
import { Filterable, Page, PaginationQuery, paginate, type Slice, Sortable, sortedList } from '@app/paging';
import { Database } from '@app/persistence';
import { Returns, Schema } from '@app/contract';
import type { Reply } from '@app/service/testing';
import { Controller, Get, Query, Res } from '@nestjs/common';
import { Exclude, Expose } from 'class-transformer';
import { IsIn, IsOptional, IsString } from 'class-validator';
import fc from 'fast-check';
import { sql } from 'kysely';
import type { FastifyReply } from 'fastify';
import { bootApi } from '../testing/boot-api';

/** A row with equal values and with null. */
@Exclude()
class Visitor {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  @Expose() @Schema({ type: ['string', 'null'] }) firstName!: string | null;
  @Expose() @Schema({ type: ['string', 'null'], format: 'date-time' }) lastLoginAt!: Date | null;
  @Expose() role!: string;
}

@Sortable(Visitor, 'firstName', 'lastLoginAt', 'role')
@Filterable('lastName', 'role')
class VisitorsQuery extends PaginationQuery {
  @IsOptional() @IsString() lastName?: string;
  @IsOptional() @IsIn(['user', 'admin']) role?: string;
}

const visitors = sortedList((_given, db) => db.selectFrom('account').selectAll());

@Controller('visitors')
@Public()
class VisitorsController {
  constructor(private readonly db: Database) {}

  @Get()
  @Returns(Page(Visitor))
  async list(@Query() query: VisitorsQuery, @Res({ passthrough: true }) reply: FastifyReply) {
    return paginate(query, reply, (slice: Slice) => visitors(this.db, slice, {}));
  }
}

type Values = Pick<Visitor, 'firstName' | 'lastLoginAt' | 'role'>;

const sorts = ['firstName', 'lastLoginAt', 'role'] as const;
const anyValues = fc.record({
  firstName: fc.constantFrom(null, 'a', 'b', 'c'),
  lastLoginAt: fc.constantFrom(
    null,
    ...['2026-01-01', '2026-02-01T00:00:00.001Z'].map((day) => new Date(day)),
  ),
  role: fc.constantFrom('user' as const, 'admin' as const),
});

const called = (firstName: string | null): Values => ({ firstName, lastLoginAt: null, role: 'user' });

describe('a list in any order', () => {
  // The list has no index, with which a program starts in production alone.
  const api = bootApi({ controllers: [VisitorsController], env: { NODE_ENV: 'production' } });
  let created = 0;

  /** Inserts rows of a family, and returns their ids. */
  async function insert(family: string, rows: readonly Values[]): Promise<number[]> {
    if (rows.length === 0) return [];
    const accounts = rows.map((row) => {
      created += 1;
      const email = `visitor-${created}@example.com`;
      return {
        ...row,
        email,
        emailKey: email,
        passwordHash: 'none',
        passwordChangedAt: new Date(),
        lastName: family,
      };
    });
    const db = api.app().get(Database, { strict: false });
    const inserted = await db.insertInto('account').values(accounts).returning('id').execute();
    return inserted.map(({ id }) => id);
  }

  async function remove(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    await api.app().get(Database, { strict: false }).deleteFrom('account').where('id', 'in', ids).execute();
  }

  /** The changes between two pages: rows are added, and the first rows at these positions are removed. */
  const anyChange = fc.record({
    come: fc.array(anyValues, { maxLength: 3 }),
    go: fc.array(fc.nat(9), { maxLength: 2 }),
  });

  it('has each row that stays once, and in order, while others come and go', async () => {
    const walk = fc.record({
      rows: fc.array(anyValues, { minLength: 1, maxLength: 10 }),
      changes: fc.array(anyChange, { maxLength: 5 }),
      sort: fc.constantFrom(...sorts),
      sign: fc.constantFrom('', '-'),
      limit: fc.integer({ min: 1, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(walk, async ({ rows, changes, sort, sign, limit }) => {
        const family = `family ${(created += 1)}`;
        const first = await insert(family, rows);
        const gone = new Set<number>();
        const seen: Visitor[] = [];
        let next: string | undefined =
          `/visitors?lastName=${encodeURIComponent(family)}&sort=${sign}${sort}&limit=${limit}`;
        for (const change of [...changes, ...Array.from({ length: 30 }, () => undefined)]) {
          if (next === undefined) break;
          const page: Reply = await api().get(next);
          expect(page.status).toBe(200);
          seen.push(...page.json.items);
          next = nextOf(page);
          await insert(family, change?.come ?? []);
          const going = (change?.go ?? []).flatMap((position) => first[position] ?? []);
          await remove(going);
          for (const id of going) gone.add(id);
        }
        const ids = seen.map(({ id }) => id);
        expect(next).toBeUndefined();
        expect(new Set(ids).size).toBe(ids.length);
        expect(first.filter((id) => !gone.has(id) && !ids.includes(id))).toEqual([]);
        expect(ids).toEqual(seen.toSorted(orderOf(sort, sign === '-')).map(({ id }) => id));
      }),
      { numRuns: 60 },
    );
  });

  it('has the same rows by page number', async () => {
    const family = 'numbered';
    await insert(family, [null, 'a', null, 'b', 'a', 'b', null].map(called));
    const names: unknown[] = [];
    for (const page of [1, 2, 3, 4]) {
      const { json } = await api().get(`/visitors?lastName=${family}&sort=-firstName&limit=2&page=${page}`);
      names.push(...json.items.map(({ firstName }: Visitor) => firstName));
    }
    expect(names).toEqual(['b', 'b', 'a', 'a', null, null, null]);
  });

  async function idsOf(query: string): Promise<number[]> {
    const ids: number[] = [];
    for (let next: string | undefined = `/visitors?${query}`; next !== undefined;) {
      const page: Reply = await api().get(next);
      ids.push(...page.json.items.map(({ id }: Visitor) => id));
      next = nextOf(page);
    }
    return ids;
  }

  it.each(['', '-'])(
    'has each row once if long texts begin alike, and bounded links: sort=%sfirstName',
    async (sign) => {
      const family = `long${sign}`;
      const names = ['a', 'b', 'b', 'c', ''].map((end) => `${'語'.repeat(1000)}${end}`);
      const ids = await insert(family, [...names, 'a', '語'.repeat(100)].map(called));
      const { headers } = await api().get(`/visitors?lastName=${family}&sort=${sign}firstName&limit=2`);
      expect(headers.get('link')?.length).toBeLessThan(1500);
      const order = ['a', '語'.repeat(100), ...names.toSorted()];
      const expected = order.flatMap((name) =>
        ids.filter((_, at) => [...names, 'a', '語'.repeat(100)][at] === name),
      );
      const inOrder = [...new Set(expected)];
      expect(await idsOf(`lastName=${family}&sort=${sign}firstName&limit=1`)).toEqual(
        sign === '-' ? inOrder.toReversed() : inOrder,
      );
    },
  );

  describe.runIf(process.env['TEST_DATABASE_URL'])('with moments to the microsecond', () => {
    it('has each row once', async () => {
      const db = api.app().get(Database, { strict: false });
      await sql`alter table account alter column last_login_at type timestamptz`.execute(db);
      const lastLoginAt = new Date('2026-03-01');
      const ids = await insert(
        'precise',
        Array.from({ length: 300 }, () => ({ ...called('a'), lastLoginAt })),
      );
      await sql`update account set last_login_at = last_login_at + (id % 300) * interval '7 microseconds'
      where last_name = 'precise'`.execute(db);
      for (const sign of ['', '-']) {
        const seen = await idsOf(`lastName=precise&sort=${sign}lastLoginAt&limit=10`);
        expect([seen.length, new Set(seen)]).toEqual([300, new Set(ids)]);
      }
    });
  });

  it('is filtered by each declared member', async () => {
    await insert('filtered', [called('a'), { ...called('b'), role: 'admin' }]);
    const { json } = await api().get('/visitors?lastName=filtered&role=admin&sort=firstName');
    expect(json.items.map(({ firstName }: Visitor) => firstName)).toEqual(['b']);
  });

  it('keeps order and filters in its links', async () => {
    await insert('linked', ['a', 'a', 'a'].map(called));
    const { headers } = await api().get('/visitors?limit=1&sort=-role&lastName=linked&page=2');
    const place = 'sort=-role&lastName=linked&limit=1&page=';
    expect(headers.get('link')).toMatch(
      new RegExp(
        `^</visitors\\?${place}1>; rel="first", </visitors\\?${place}1>; rel="prev", </visitors\\?${place}3&after=[\\w-]+>; rel="next"$`,
      ),
    );
  });

  it('rejects an order and a filter that are not declared', async () => {
    for (const [query, message] of [
      [
        'sort=id',
        'sort must be one of the following values: firstName, -firstName, lastLoginAt, -lastLoginAt, role, -role',
      ],
      ['firstName=a', 'property firstName should not exist'],
    ])
      expect(await api().get(`/visitors?${query}`)).toMatchObject({
        status: 400,
        json: { message: [message] },
      });
  });

  it('rejects the cursor of another list, of another order, and of values that no row has', async () => {
    await insert('foreign', ['a', 'a'].map(called));
    const cursor = async (query: string) => {
      const next = nextOf(await api().get(`/visitors?limit=1&${query}`));
      return new URLSearchParams(next?.split('?')[1]).get('after') ?? '';
    };
    const [byName, byId] = [await cursor('sort=firstName'), await cursor('lastName=foreign')];
    const [sum] = Buffer.from(byName, 'base64url').toString().split(':');
    const forged = Buffer.from(`${sum}:1:{"$gt":""}`).toString('base64url');
    const administrator = await api.administrator();
    const message = ['after must be a cursor from an earlier response of this list in this order'];
    for (const path of [
      `/visitors?sort=-firstName&after=${byName}`,
      `/visitors?sort=lastLoginAt&after=${byName}`,
      `/visitors?after=${byName}`,
      `/visitors?sort=firstName&after=${byId}`,
      `/visitors?sort=firstName&after=${forged}`,
      `/items?after=${byId}`,
    ])
      expect([path, await administrator.get(path)]).toMatchObject([path, { status: 400, json: { message } }]);
    expect((await api().get(`/visitors?sort=firstName&after=${byName}`)).status).toBe(200);
  });
});

function nextOf({ headers }: Reply): string | undefined {
  return /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
}

/** Values in order, equal ones by id in the same direction, null last. */
function orderOf(sort: (typeof sorts)[number], isDescending: boolean) {
  const sign = isDescending ? -1 : 1;
  return (left: Visitor, right: Visitor): number => {
    const [a, b] = [left[sort], right[sort]];
    if ((a === null) !== (b === null)) return a === null ? 1 : -1;
    if (a === b || a === null || b === null) return sign * (left.id - right.id);
    return a < b ? -sign : sign;
  };
}
