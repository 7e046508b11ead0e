import { Public } from '@app/auth';
import { RateLimit, Returns } from '@app/contract';
import { type Client, exchangeRateCounts } from '@app/service/testing';
import { Database } from '@app/persistence';
import {
  type CallHandler,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { bootApi } from '../testing/boot-api';
import { bootPair } from '../testing/boot-pair';

/** Nest serves a route with an interceptor. */
@Injectable()
class Passing implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler) {
    return next.handle();
  }
}

@Controller('limited')
@RateLimit('2/1m')
class LimitedController {
  @Get('compiled')
  @Returns('text')
  compiled(): string {
    return 'compiled';
  }

  @Get('by-nest')
  @UseInterceptors(Passing)
  @Returns('text')
  byNest(): string {
    return 'by Nest';
  }

  @Get('free')
  @Public()
  @RateLimit('off')
  @Returns('text')
  free(): string {
    return 'free';
  }
}

/** The time a second after a one-minute window began. */
let time = Math.ceil(Date.now() / 60_000) * 60_000 + 1000;

/** Later for each test: no window is that of another one. */
function beginWindow(): void {
  time += 600_000;
  vi.useFakeTimers({ toFake: ['Date'], now: time });
}
beforeEach(beginWindow);
afterEach(() => void vi.useRealTimers());

async function statuses(count: number, send: () => Promise<{ status: number }>): Promise<number[]> {
  const codes: number[] = [];
  while (codes.length < count) codes.push((await send()).status);
  return codes;
}

describe('a rate limit', () => {
  const api = bootApi({ env: { RATE_LIMIT: '4/1m' }, controllers: [LimitedController] });

  it('rejects what one caller sends over the limit of the settings, and says when to come back', async () => {
    expect(await statuses(4, () => api().get('/'))).toEqual([200, 200, 200, 200]);
    const { status, headers, json } = await api().get('/');
    expect([status, headers.get('retry-after')]).toEqual([429, '59']);
    expect(headers.get('ratelimit')).toBe('"default";r=0;t=59');
    expect(headers.get('ratelimit-policy')).toBe('"default";q=4;w=60');
    expect(json).toEqual({
      statusCode: 429,
      message: 'too many requests, try again later',
      error: 'Too Many Requests',
    });
    vi.setSystemTime(Date.now() + 60_000);
    expect((await api().get('/')).headers.get('ratelimit')).toBe('"default";r=3;t=59');
  });

  it('counts users and addresses apart, and health routes not at all', async () => {
    const client = api().as(await api.tokenOf({}));
    expect(await statuses(5, () => client.get('/auth/profile'))).toEqual([200, 200, 200, 200, 429]);
    expect((await api().get('/')).status).toBe(200);
    expect(await statuses(6, () => api().get('/health/live'))).toEqual(Array.from({ length: 6 }, () => 200));
  });

  it('counts a user and every API key of the user together', async () => {
    const user = api().as(await api.tokenOf({}));
    const keyed = async () => {
      const { apiKey } = (await user.post('/auth/api-keys', { name: 'of a limit' })).json;
      return api().with({ 'x-api-key': apiKey });
    };
    const [first, second] = [await keyed(), await keyed()];
    expect(await statuses(2, () => first.get('/items'))).toEqual([200, 200]);
    expect(await statuses(2, () => second.get('/items'))).toEqual([429, 429]);
    expect((await user.get('/items')).status).toBe(429);
  });

  it.each(['compiled', 'by-nest'])('of a route is its own (%s)', async (name) => {
    const user = api().as(await api.tokenOf({}));
    expect(await statuses(3, () => user.get(`/limited/${name}`))).toEqual([200, 200, 429]);
    expect((await user.get('/auth/profile')).headers.get('ratelimit')).toBe('"default";r=3;t=59');
    expect((await user.get(`/limited/${name}`)).headers.get('ratelimit-policy')).toBe(
      `"GET /limited/${name}";q=2;w=60`,
    );
    expect((await api().get(`/limited/${name}`)).status).toBe(401);
  });

  it('does not hold for a route that is exempt', async () => {
    const { status, headers } = await api().get('/limited/free');
    expect([status, headers.has('ratelimit')]).toEqual([200, false]);
  });
});

describe('the rate limit of two programs on one database', () => {
  const api = bootPair({ RATE_LIMIT: '6/1m' });
  const gather = async (...which: (0 | 1)[]) => {
    for (const instance of which) await exchangeRateCounts(api.app(instance));
  };
  const get = (client: Client) => () => client.get('/');

  it('is one, once the counts were exchanged', async () => {
    expect(await statuses(3, get(api(0)))).toEqual([200, 200, 200]);
    expect(await statuses(2, get(api(1)))).toEqual([200, 200]);
    await gather(0, 1);
    expect(await statuses(2, get(api(1)))).toEqual([200, 429]);
    await gather(1);
    expect((await api(0).get('/')).headers.get('ratelimit')).toBe('"default";r=2;t=59');
    await gather(0);
    expect((await api(0).get('/')).status).toBe(429);
  });

  it('begins anew with the next window, and its rows are deleted', async () => {
    await api(0).get('/');
    await gather(0);
    vi.setSystemTime(Date.now() + 180_000);
    expect(await statuses(7, get(api(0)))).toEqual([200, 200, 200, 200, 200, 200, 429]);
    await gather(0);
    const rows = await api
      .app(0)
      .get(Database, { strict: false })
      .selectFrom('rateCount')
      .selectAll()
      .execute();
    expect(rows).toMatchObject([{ subject: 'default address:127.0.0.1', count: 6 }]);
  });

  it('needs no statement per request', async () => {
    const db = api.app(0).get(Database, { strict: false });
    const queries = vi.spyOn(db, 'executeQuery');
    await Promise.all(Array.from({ length: 6 }, get(api(0))));
    await gather(0);
    const inserts = queries.mock.calls.filter(
      ([query]) => 'sql' in query && query.sql.startsWith('insert into "rate_count"'),
    );
    // The program gathers every second, too.
    expect(inserts.length).toBeLessThan(4);
    expect(inserts.length).toBeGreaterThan(0);
    queries.mockRestore();
  });
});

describe('a rate limit behind a proxy', () => {
  const api = bootApi({ env: { RATE_LIMIT: '6/1m', TRUST_PROXY: 'loopback' } });

  it('counts an account and an odd address with the same name apart, and exchanges the counts of both', async () => {
    const user = await api.newcomer();
    const { userId } = (await user.get('/auth/profile')).json;
    for (const address of [String(userId), '0', `account:${userId}`])
      expect((await api().with({ 'x-forwarded-for': address }).get('/')).status).toBe(200);
    await exchangeRateCounts(api.app());
    const db = api.app().get(Database, { strict: false });
    const rows = await db.selectFrom('rateCount').select(['subject', 'count']).execute();
    expect(rows).toEqual(
      expect.arrayContaining([
        { subject: `default account:${userId}`, count: 1 },
        { subject: 'default address:unknown', count: 3 },
      ]),
    );
  });
});

describe('without a rate limit', () => {
  const api = bootApi();

  it('responses have no header fields of one', async () => {
    expect((await api().get('/')).headers.has('ratelimit')).toBe(false);
  });
});
