import { Database, openDatabase } from '@app/persistence';
import { type PostgresPair, startPostgresPair } from '@app/persistence/testing';
import { sql } from 'kysely';
import { bootApi } from '../testing/boot-api';

const ITEMS = 12;

describe.runIf(process.env.TEST_DATABASE_URL)('api with a replica', () => {
  let servers: PostgresPair;
  let standby: Database;
  beforeAll(async () => {
    servers = await startPostgresPair('replica');
    standby = openDatabase(servers.standbyUrl);
  }, 60_000);
  afterAll(async () => {
    await standby.destroy();
    await servers.stop();
  });

  const api = bootApi({
    env: {
      get DATABASE_URL() {
        return servers.primaryUrl;
      },
      get DATABASE_REPLICA_URL() {
        return servers.standbyUrl;
      },
    },
  });

  const isReplica = (state: string) =>
    vi.waitFor(
      async () => {
        await api.app().get(Database, { strict: false }).checkReplica();
        const { status, json } = await api().get('/health/ready');
        expect([status, json.checks]).toEqual([200, { store: 'ok', writes: true, replica: state }]);
      },
      { timeout: 30_000 },
    );
  const pause = () => sql`select pg_wal_replay_pause()`.execute(standby);
  const resume = () => sql`select pg_wal_replay_resume()`.execute(standby);

  it('lists what the caller wrote before, and each row once from page to page, while the replica comes and goes', async () => {
    const admin = await api.administrator();
    for (let at = 1; at <= ITEMS; at += 1) {
      const sku = `sku-${at}`;
      expect((await admin.post('/items', { sku, name: 'tea', price: at })).status).toBe(201);
      const { json } = await admin.get('/items?limit=100');
      expect(json.items.at(-1)).toMatchObject({ sku });
    }

    const walked: string[] = [];
    for (let path: string | undefined = '/items?limit=2'; path !== undefined;) {
      await (walked.length % 4 === 0 ? pause() : resume());
      const { json, headers } = await admin.get(path);
      walked.push(...json.items.map(({ sku }: { sku: string }) => sku));
      await admin.post('/posts', { slug: `post-${walked.length}` });
      path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }
    await resume();
    expect(walked).toEqual(Array.from({ length: ITEMS }, (_, at) => `sku-${at + 1}`));
  });

  it('is ready while the replica lags, and says so', async () => {
    const client = await api.newcomer();
    await isReplica('ok');
    await pause();
    await client.post('/orders', { items: [{ sku: 'tea', quantity: '1' }] });

    expect((await client.get('/orders')).json.items).toHaveLength(1);
    await isReplica('lagging');

    await resume();
    await isReplica('ok');
    expect((await client.get('/orders')).json.items).toHaveLength(1);
  });
});
