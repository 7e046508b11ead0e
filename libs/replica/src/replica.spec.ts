import { sql } from 'kysely';
import {
  type Database,
  defaultConnecting,
  ForeignReplicaError,
  inTransaction,
  migrate,
  openDatabase,
  type Primary,
  statement,
  storeChannels,
  StoreUnavailableError,
} from '@app/persistence';
import {
  baseSchema,
  openProxy,
  type PostgresPair,
  type Proxy,
  sampleSchema,
  startPostgresPair,
} from '@app/persistence/testing';
import { openReplica } from './open-replica';

const bySku = statement(({ sku }: { sku: string }, db) =>
  db.selectFrom('sampleProduct').select('id').where('sku', '=', sku),
);
const connectingTo = (url: string) => ({
  ...defaultConnecting,
  openReplica: (primary: Primary) => openReplica(url, primary),
});
const slow = statement((_given: {}, db) => db.selectNoFrom(sql`pg_sleep(30)`.as('slept')));

describe.runIf(process.env.TEST_DATABASE_URL)('a replica', () => {
  let servers: PostgresPair;
  let standby: Database;
  let proxy: Proxy;
  /** Two programs. */
  let writer: Database;
  let reader: Database;
  const handles: Database[] = [];
  const readFrom: unknown[] = [];
  const note = (from: unknown) => void readFrom.push(from);
  let written = 0;

  const open = (replicaUrl?: string): Database => {
    const connecting = replicaUrl === undefined ? {} : connectingTo(replicaUrl);
    const db = openDatabase(servers.primaryUrl, connecting);
    handles.push(db);
    return db;
  };
  const write = async (): Promise<string> => {
    const sku = `sku-${(written += 1)}`;
    await writer.insertInto('sampleProduct').values({ sku, name: 'tea', price: 1 }).execute();
    return sku;
  };
  const canRead = async (sku: string): Promise<boolean> =>
    (await bySku.first(reader.replica, { sku })) !== undefined;

  beforeAll(async () => {
    servers = await startPostgresPair('replica');
    standby = openDatabase(servers.standbyUrl);
    handles.push(standby);
    await migrate(open(), [baseSchema, sampleSchema]);
  }, 60_000);
  afterAll(async () => {
    await Promise.all(handles.map((db) => db.destroy()));
    await servers.stop();
  });
  beforeEach(async () => {
    storeChannels.list.subscribe(note);
    proxy = await openProxy(new URL(servers.standbyUrl));
    [writer, reader] = [open(), open(proxy.url)];
    await isCaughtUp();
    readFrom.length = 0;
  });
  afterEach(async () => {
    storeChannels.list.unsubscribe(note);
    await sql`select pg_wal_replay_resume()`.execute(standby);
    await reader.destroy();
    await proxy.disconnect();
  });

  const isCaughtUp = () =>
    vi.waitFor(async () => expect(await reader.checkReplica()).toMatchObject({ state: 'ok' }), {
      timeout: 30_000,
    });

  /** A busy machine may delay the standby by more than a list waits. */
  const isReadFrom = (read: () => Promise<boolean>) =>
    vi.waitFor(
      async () => {
        await reader.checkReplica();
        expect(await read()).toBe(true);
        expect(readFrom.at(-1)).toBe('replica');
      },
      { timeout: 30_000 },
    );

  it('has what any program wrote before the list was requested', async () => {
    const writers = Array.from({ length: 8 }, async () => {
      for (let round = 0; round < 25; round += 1) expect(await canRead(await write())).toBe(true);
    });
    await Promise.all(writers);

    expect(readFrom).toHaveLength(200);
  });

  it('is read from when it has everything', async () => {
    const sku = await write();
    await isReadFrom(() => canRead(sku));
    await isReadFrom(async () => {
      const { length } = await reader.replica
        .selectFrom('sampleProduct')
        .select('id')
        .where('sku', '=', sku)
        .execute();
      return length === 1;
    });
    expect(readFrom.slice(-1)).toEqual(['replica']);
  });

  it('is left for the primary while it lags, and read from again', async () => {
    await sql`select pg_wal_replay_pause()`.execute(standby);
    const skus = [await write(), await write()];

    expect(await Promise.all(skus.map(canRead))).toEqual([true, true]);
    expect(readFrom).toEqual(['primary', 'primary']);
    expect(reader.replicaHealth).toMatchObject({ state: 'lagging' });
    expect(await reader.checkReplica()).toMatchObject({ state: 'lagging', lagBytes: expect.any(Number) });

    await sql`select pg_wal_replay_resume()`.execute(standby);
    await isReadFrom(() => canRead(skus[1] ?? ''));
  });

  it('is left for the primary while it is down, and read from again', async () => {
    const sku = await write();
    await proxy.disconnect();

    expect(await canRead(sku)).toBe(true);
    expect(await reader.checkReplica()).toMatchObject({ state: 'unavailable' });
    expect(await canRead(sku)).toBe(true);
    expect(readFrom).toEqual(['primary', 'primary']);

    await proxy.reconnect();
    await isReadFrom(() => canRead(sku));
  });

  it('is left by the reads that wait for it when it no longer answers', async () => {
    const sku = await write();
    await isReadFrom(() => canRead(sku));
    proxy.stall();

    const reading = canRead(sku);
    expect(await reader.checkReplica()).toMatchObject({ state: 'unavailable' });
    expect(await reading).toBe(true);
    expect(readFrom.at(-1)).toBe('primary');
  });

  it('does not hand a slow statement to the primary', async () => {
    const hurried = openDatabase(servers.primaryUrl, {
      ...connectingTo(servers.standbyUrl),
      timeouts: { waitMs: 5_000, statementMs: 50 },
    });
    handles.push(hurried);

    await vi.waitFor(
      async () => {
        readFrom.length = 0;
        await hurried.checkReplica();
        await expect(slow.all(hurried.replica, {})).rejects.toThrow('a statement took too long');
        expect(readFrom).toEqual([]);
      },
      { timeout: 30_000 },
    );
  });

  it('accepts neither writes nor transactions', async () => {
    const insert = reader.replica.insertInto('sampleProduct').values({ sku: 'no', name: 'tea', price: 1 });
    await expect(insert.execute()).rejects.toThrow(TypeError);
    await expect(sql`select 1`.execute(reader.replica)).rejects.toThrow(TypeError);
    await expect(reader.replica.transaction().execute(async () => {})).rejects.toThrow(TypeError);
    await expect(inTransaction(reader.replica, async () => {})).rejects.toThrow(TypeError);
  });

  it('is not one if it is a primary itself, or of another cluster', async () => {
    const twice = open(servers.primaryUrl);
    expect(await twice.checkReplica()).toMatchObject({
      state: 'unavailable',
      error: new StoreUnavailableError('the replica is not a standby'),
    });
    expect(await bySku.first(twice.replica, { sku: await write() })).toBeDefined();

    const foreign = open(process.env.TEST_DATABASE_URL);
    expect((await foreign.checkReplica())?.error).toBeInstanceOf(ForeignReplicaError);
  });

  it('is closed with its database', async () => {
    await reader.destroy();
    await expect(canRead('any')).rejects.toThrow('its connections are closed');
    expect(await reader.checkReplica()).toBeUndefined();
  });
});

describe('a database without a replica', () => {
  it('reads lists itself', () => {
    const db = openDatabase('sqlite:./never-opened.db');
    expect(db.replica).toBe(db);
    expect(db.replicaHealth).toBeUndefined();
  });

  it('does not have one on SQLite', () => {
    const connecting = connectingTo('postgres://localhost/sluice');
    expect(() => openDatabase('sqlite:./never-opened.db', connecting)).toThrow('a replica needs PostgreSQL');
  });
});
