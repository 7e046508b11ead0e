import { exchangeRateCounts, gatherLog } from '@app/service/testing';
import { ValkeyServer, valkeyProgram } from '@app/valkey/testing';
import { Database } from '@app/persistence';
import { bootApi } from '../testing/boot-api';
import { bootPair } from '../testing/boot-pair';

/** The plugin with the server URL, which each test file starts before its programs. */
function useServer(env: Record<string, string>): () => ValkeyServer {
  let server: ValkeyServer | undefined;
  beforeAll(async () => {
    server = await ValkeyServer.start('--requirepass', 'of-the-limits');
    env.RATE_LIMIT_STORE = `valkey://:of-the-limits@127.0.0.1:${server.port}`;
  });
  afterAll(() => server?.stop());
  return () => {
    if (server === undefined) throw new TypeError('the server runs from beforeAll to afterAll only');
    return server;
  };
}

/** All requests of a test are in one window. */
beforeEach(
  () => void vi.useFakeTimers({ toFake: ['Date'], now: Math.ceil(Date.now() / 60_000) * 60_000 + 1000 }),
);
afterEach(() => void vi.useRealTimers());

describe.runIf(valkeyProgram)(
  `rate limits on Valkey${valkeyProgram ? '' : ' (needs redis-server in the path)'}`,
  () => {
    describe('of two programs', () => {
      const env: Record<string, string> = { RATE_LIMIT: '6/1m' };
      useServer(env);
      const api = bootPair(env);

      it('are one, and need no table', async () => {
        for (const which of [0, 0, 0, 1, 1] as const) expect((await api(which).get('/')).status).toBe(200);
        for (const which of [0, 1] as const) await exchangeRateCounts(api.app(which));
        expect((await api(1).get('/')).status).toBe(200);
        expect((await api(1).get('/')).status).toBe(429);
        const db = api.app(0).get(Database, { strict: false });
        expect(await db.selectFrom('rateCount').selectAll().execute()).toEqual([]);
      });
    });

    describe('of a program whose server is down', () => {
      const { lines, logs } = gatherLog();
      const env: Record<string, string> = { RATE_LIMIT: '3/1m' };
      const server = useServer(env);
      const api = bootApi({ env, logs });
      const logged = () =>
        lines()
          .map(({ msg }) => String(msg))
          .filter((line) => line.startsWith('rate limit store'));

      it('are its own, which the log says once, and are shared again when it is back', async () => {
        await api().get('/');
        await server().stop();
        for (const _ of [1, 2]) await exchangeRateCounts(api.app());
        expect((await api().get('/health/ready')).status).toBe(200);
        const statuses = [];
        for (const _ of [1, 2, 3]) statuses.push((await api().get('/')).status);
        expect(statuses).toEqual([200, 200, 429]);
        await server().start();
        await exchangeRateCounts(api.app());
        const [down, up, ...others] = logged().slice(-2);
        expect(down).toMatch(
          /^rate limit store unavailable, each program limits alone: .+\. Check the server, and the URL of RATE_LIMIT_STORE$/,
        );
        expect([up, others]).toEqual(['rate limit store available', []]);
        expect(JSON.stringify(lines())).not.toContain('of-the-limits');
      });
    });
  },
);
