import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { openProxy, type Proxy } from '../../../testing/failing-proxy';
import { useMigratedDatabase } from '../../../testing/migrated-database';
import { type Database, openDatabase } from '../../database/database';
import { StoreUnavailableError } from '../../errors';
import { inTransaction } from '../../database/transaction';
import { defaultConnecting } from '../connecting';
import { requestTimeouts, type Timeouts } from '../timeouts';

describe('an unreachable PostgreSQL server', () => {
  it('is reported as unavailable, without the password', async () => {
    const db = openDatabase('postgres://someone:SECRET@127.0.0.1:1/nowhere');

    const error: unknown = await sql`select 1`.execute(db).catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(StoreUnavailableError);
    expect(String(error)).toContain('ECONNREFUSED');
    expect(String(error)).not.toContain('SECRET');
    await db.destroy();
  });
});

describe.runIf(process.env.TEST_DATABASE_URL)('a PostgreSQL server', () => {
  const store = useMigratedDatabase();

  it('may close idle connections', async () => {
    await sql`select 1`.execute(store.db);
    await endConnections(store.openAnother());

    expect(await selectTwice(store.db)).toEqual({ one: 1 });
  });

  it('may close a connection in a transaction, which is rolled back', async () => {
    const work = inTransaction(store.db, async (queries) => {
      await queries.insertInto('sampleProduct').values({ sku: 'a', name: 'a', price: 1 }).execute();
      await endConnections(store.openAnother());
      await queries.insertInto('sampleProduct').values({ sku: 'b', name: 'b', price: 1 }).execute();
    });

    await expect(work).rejects.toThrow(StoreUnavailableError);
    expect(await store.db.selectFrom('sampleProduct').selectAll().execute()).toEqual([]);
  });

  it('is given a statement again that was in conflict with others, up to a time', async () => {
    await sql`create sequence conflicts`.execute(store.db);
    await sql`create function conflict_until(last int) returns int language plpgsql as $$ begin
      if nextval('conflicts') <= last then raise exception 'conflict' using errcode = '40001'; end if;
      return currval('conflicts'); end $$`.execute(store.db);

    const { rows } = await sql<{ tries: number }>`select conflict_until(2) as tries`.execute(store.db);
    expect(rows).toEqual([{ tries: 3 }]);

    const hurried = openWith(store.url, { waitMs: 2_000, statementMs: 0 });
    await expect(sql`select conflict_until(100000)`.execute(hurried)).rejects.toThrow(
      'too many serialization',
    );
    await hurried.destroy();
  });

  it('is reconnected to when a connection is read-only and a new connection is not', async () => {
    const db = openDatabase(store.url, { poolSize: 1 });
    await sql`set default_transaction_read_only = on`.execute(db);
    const write = () => db.insertInto('sampleProduct').values({ sku: 'a', name: 'a', price: 1 }).execute();
    await expect(write()).rejects.toThrow('it is read-only');

    await db.check();

    await expect(write()).resolves.toBeDefined();
    expect(await db.check()).toEqual({ state: 'ok' });
    await db.destroy();
  });

  it('is unavailable for writes while it is read-only', async () => {
    const work = inTransaction(store.db, async (queries) => {
      await sql`set transaction read only`.execute(queries);
      await queries.insertInto('sampleArticle').values({ slug: 'slug' }).execute();
    });

    await expect(work).rejects.toThrow(StoreUnavailableError);
    expect(await store.db.selectFrom('sampleArticle').selectAll().execute()).toEqual([]);
  });

  it('is unavailable for a statement that would wait longer for a lock', async () => {
    const db = openWith(store.url, { waitMs: 1_000, statementMs: 30_000 });
    const insert = db.insertInto('sampleArticle').values({ slug: 'slug' });

    await inTransaction(store.db, async (queries) => {
      await sql`lock table sample_article in exclusive mode`.execute(queries);
      await expect(insert.execute()).rejects.toThrow('a lock could not be acquired');
      await expect(
        inTransaction(db, (own) => own.insertInto('sampleArticle').values({ slug: 'a' }).execute()),
      ).rejects.toThrow(StoreUnavailableError);
    });

    await insert.execute();
    await db.destroy();
  });

  it('is unavailable when a statement times out', async () => {
    const db = openWith(store.url, { waitMs: 5_000, statementMs: 50 });

    await expect(sql`select pg_sleep(30)`.execute(db)).rejects.toThrow(StoreUnavailableError);
    await sql`select 1`.execute(db);
    await db.destroy();
  });

  it('is unavailable when no connection is free before the timeout', async () => {
    const db = openWith(store.url, { waitMs: 2_000, statementMs: 0 });
    const gate = Promise.withResolvers<void>();
    const holders = Array.from({ length: 10 }, () => db.connection().execute(() => gate.promise));

    await expect(sql`select 1`.execute(db)).rejects.toThrow(StoreUnavailableError);
    gate.resolve();
    await Promise.all(holders);
    await sql`select 1`.execute(db);
    await db.destroy();
  });

  it('is healthy', async () => {
    expect(await store.db.check()).toEqual({ state: 'ok' });
  });

  it('is healthy while all connections are busy', async () => {
    const gate = Promise.withResolvers<void>();
    const holders = Array.from({ length: 10 }, () => store.db.connection().execute(() => gate.promise));

    expect(await store.db.check()).toEqual({ state: 'ok' });
    gate.resolve();
    await Promise.all(holders);
  });

  it('accepts no writes while its sessions are read-only, and can be read', async () => {
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(store.db);
    const name = sql.id(rows[0]?.name ?? '');
    await sql`alter database ${name} set default_transaction_read_only = on`.execute(store.db);
    await endConnections(store.openAnother());

    const readOnly = store.openAnother();
    expect(await readOnly.check()).toMatchObject({
      state: 'read-only',
      error: expect.any(StoreUnavailableError),
    });
    expect(await readOnly.selectFrom('sampleArticle').selectAll().execute()).toEqual([]);
  });

  it('accepts no writes after a full disk until one succeeds', async () => {
    const fullDisk = sql`do $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`;
    await expect(fullDisk.execute(store.db)).rejects.toThrow(StoreUnavailableError);
    expect(await store.db.check()).toMatchObject({ state: 'read-only' });

    await store.db.insertInto('sampleArticle').values({ slug: 'slug' }).execute();
    expect(await store.db.check()).toEqual({ state: 'ok' });
  });

  it('is unavailable when the database is dropped while in use', async () => {
    await store.db.selectFrom('sampleArticle').selectAll().execute();
    const url = new URL(store.url);
    const name = url.pathname.slice(1);
    url.pathname = '/postgres';
    const server = openWith(url.href, requestTimeouts);
    await sql`drop database ${sql.id(name)} with (force)`.execute(server);

    const read = (): Promise<unknown> => store.db.selectFrom('sampleArticle').selectAll().execute();
    await expect(read().catch(read)).rejects.toThrow(/the database does not exist/);
    expect(await store.db.check()).toMatchObject({ state: 'unavailable' });
    await server.destroy();
  });

  it('is unavailable when the password is changed while in use', async () => {
    const role = `test_${randomBytes(8).toString('hex')}`;
    await sql`create role ${sql.id(role)} login password 'first'`.execute(store.db);
    const url = Object.assign(new URL(store.url), { username: role, password: 'first' });
    const db = openWith(url.href, requestTimeouts);
    expect(await db.check()).toEqual({ state: 'ok' });

    await sql`alter role ${sql.id(role)} password 'second'`.execute(store.db);
    await endConnections(store.openAnother());
    await expect(selectTwice(db)).rejects.toThrow(/did not accept the user or the password/);
    expect(await db.check()).toMatchObject({ state: 'unavailable' });
    await db.destroy();
    await sql`drop role ${sql.id(role)}`.execute(store.openAnother());
  });

  it('returns int8 as a number, and rejects unsafe integers', async () => {
    const { rows } = await sql`select 9007199254740991::bigint as most`.execute(store.db);

    expect(rows).toEqual([{ most: Number.MAX_SAFE_INTEGER }]);
    await expect(sql`select 9007199254740992::bigint as more`.execute(store.db)).rejects.toThrow(RangeError);
  });
});

describe.runIf(process.env.TEST_DATABASE_URL)('a PostgreSQL server behind a failing network', () => {
  const store = useMigratedDatabase();
  let proxy: Proxy;
  let db: Database;

  beforeEach(async () => {
    proxy = await openProxy(new URL(store.url));
    db = openWith(proxy.url, { waitMs: 2_000, statementMs: 100 });
    await sql`select 1`.execute(db);
  });
  afterEach(async () => {
    await db.destroy();
    await proxy.disconnect();
  });

  it('is unavailable while disconnected, and is reconnected', async () => {
    await proxy.disconnect();
    await expect(sql`select 1`.execute(db)).rejects.toThrow(StoreUnavailableError);
    await expect(sql`select 1`.execute(db)).rejects.toThrow(StoreUnavailableError);

    await proxy.reconnect();
    expect(await selectTwice(db)).toEqual({ one: 1 });
  });

  it('rejects queries at once after a check without a response, until one succeeds', async () => {
    await proxy.disconnect();
    await proxy.reconnect();
    const patient = openWith(proxy.url, { waitMs: 60_000, statementMs: 60_000 });
    await sql`select 1`.execute(patient);
    proxy.stall();

    expect(await patient.check()).toMatchObject({ state: 'unavailable' });
    await expect(sql`select 1`.execute(patient)).rejects.toThrow(/the server does not respond/);

    await proxy.disconnect();
    await proxy.reconnect();
    expect(await patient.check()).toEqual({ state: 'ok' });
    expect(await selectTwice(patient)).toEqual({ one: 1 });
    await patient.destroy();
  });

  it('is queried again at once when it did not respond', async () => {
    proxy.stall();
    expect(await db.check()).toMatchObject({ state: 'unavailable' });
    await expect(sql`select 1`.execute(db)).rejects.toThrow(/the server does not respond/);

    await proxy.disconnect();
    await proxy.reconnect();
    await vi.waitFor(async () => expect(await selectTwice(db)).toEqual({ one: 1 }), { timeout: 30_000 });
  });

  it('is healthy while statements succeed, however long a new connection takes', async () => {
    const busy = openDatabase(proxy.url, { ...defaultConnecting, poolSize: 1 });
    const isDone = new AbortController();
    await sql`select 1`.execute(busy);
    const working = Array.from({ length: 4 }, async () => {
      while (!isDone.signal.aborted) await sql`select pg_sleep(0.4)`.execute(busy);
    });
    proxy.stallNew();

    expect(await busy.check()).toEqual({ state: 'ok' });
    expect(await selectTwice(busy)).toEqual({ one: 1 });
    isDone.abort();
    await Promise.all(working);
    await busy.destroy();
  });

  it('times a transaction out when the network stalls, without waiting for the rollback', async () => {
    const timedOut = inTransaction(db, async (queries) => {
      proxy.stall();
      await queries.insertInto('sampleArticle').values({ slug: 'slug' }).execute();
    });

    await expect(timedOut).rejects.toThrow(StoreUnavailableError);
    expect(await store.db.selectFrom('sampleArticle').selectAll().execute()).toEqual([]);
  });

  it('is unavailable while the network stalls, and is reconnected', async () => {
    proxy.stall();
    await expect(sql`select 1`.execute(db)).rejects.toThrow(StoreUnavailableError);
    await expect(sql`select 1`.execute(db)).rejects.toThrow(StoreUnavailableError);

    await proxy.disconnect();
    await proxy.reconnect();
    expect(await selectTwice(db)).toEqual({ one: 1 });
  });
});

/** A lost connection may be noticed only by the next query; the one after that must succeed. */
async function selectTwice(db: Database): Promise<unknown> {
  const query = sql`select 1 as one`;
  const { rows } = await query.execute(db).catch(() => query.execute(db));
  return rows[0];
}

function openWith(url: string, timeouts: Timeouts): Database {
  return openDatabase(url, { ...defaultConnecting, timeouts });
}

async function endConnections(db: Database): Promise<void> {
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(db);
}
