import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { sql } from 'kysely';
import { useMigratedDatabase } from '../../../testing/migrated-database';
import { Database, openDatabase } from '../../database';
import { StoreUnavailableError } from '../../errors';
import { inTransaction } from '../../transaction';

describe('a PostgreSQL server that is not there', () => {
  it('is unavailable, and the error says so without the password', async () => {
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

  it('may end our idle connections without ending us', async () => {
    await sql`select 1`.execute(store.db);
    await endConnections(store.openAnother());

    expect(await askTwice(store.db)).toEqual({ one: 1 });
  });

  it('may end a connection in a transaction, which then leaves nothing', async () => {
    const work = inTransaction(store.db, async (queries) => {
      await queries.insertInto('item').values({ sku: 'a', name: 'a', price: 1 }).execute();
      await endConnections(store.openAnother());
      await queries.insertInto('item').values({ sku: 'b', name: 'b', price: 1 }).execute();
    });

    await expect(work).rejects.toThrow(StoreUnavailableError);
    expect(await store.db.selectFrom('item').selectAll().execute()).toEqual([]);
  });

  it('is unavailable for writing while it is read-only', async () => {
    const work = inTransaction(store.db, async (queries) => {
      await sql`set transaction read only`.execute(queries);
      await queries.insertInto('post').values({ slug: 'slug' }).execute();
    });

    await expect(work).rejects.toThrow(StoreUnavailableError);
    expect(await store.db.selectFrom('post').selectAll().execute()).toEqual([]);
  });

  it('is unavailable when a statement takes too long', async () => {
    const db = openWith(store.url, { turnMs: 5_000, statementMs: 50 });

    await expect(sql`select pg_sleep(30)`.execute(db)).rejects.toThrow(StoreUnavailableError);
    await sql`select 1`.execute(db);
    await db.destroy();
  });

  it('is unavailable when no connection is to be had in time', async () => {
    const db = openWith(store.url, { turnMs: 100, statementMs: 0 });
    const held = Promise.withResolvers<void>();
    const holders = Array.from({ length: 10 }, () => db.connection().execute(() => held.promise));

    await expect(sql`select 1`.execute(db)).rejects.toThrow(StoreUnavailableError);
    held.resolve();
    await Promise.all(holders);
    await sql`select 1`.execute(db);
    await db.destroy();
  });

  it('reads numbers as numbers, and refuses those that JavaScript cannot hold', async () => {
    const { rows } = await sql`select 9007199254740991::bigint as most`.execute(store.db);

    expect(rows).toEqual([{ most: Number.MAX_SAFE_INTEGER }]);
    await expect(sql`select 9007199254740992::bigint as more`.execute(store.db)).rejects.toThrow(RangeError);
  });
});

describe.runIf(process.env.TEST_DATABASE_URL)('a PostgreSQL server behind a line that fails', () => {
  const store = useMigratedDatabase();
  let line: Line;
  let db: Database;

  beforeEach(async () => {
    line = await openLine(new URL(store.url));
    db = openWith(line.url, { turnMs: 500, statementMs: 100 });
    await sql`select 1`.execute(db);
  });
  afterEach(async () => {
    await db.destroy();
    await line.cut();
  });

  it('is unavailable while the line is cut, and back by itself', async () => {
    await line.cut();
    await expect(sql`select 1`.execute(db)).rejects.toThrow(StoreUnavailableError);
    await expect(sql`select 1`.execute(db)).rejects.toThrow(StoreUnavailableError);

    await line.mend();
    expect(await askTwice(db)).toEqual({ one: 1 });
  });

  it('gives a transaction up when nothing comes through, without waiting for its rollback', async () => {
    const gaveUp = inTransaction(db, async (queries) => {
      line.freeze();
      await queries.insertInto('post').values({ slug: 'slug' }).execute();
    });

    await expect(gaveUp).rejects.toThrow(StoreUnavailableError);
    expect(await store.db.selectFrom('post').selectAll().execute()).toEqual([]);
  });

  it('is unavailable while nothing comes through, and back by itself', async () => {
    line.freeze();
    await expect(sql`select 1`.execute(db)).rejects.toThrow(StoreUnavailableError);
    await expect(sql`select 1`.execute(db)).rejects.toThrow(StoreUnavailableError);

    await line.cut();
    await line.mend();
    expect(await askTwice(db)).toEqual({ one: 1 });
  });
});

/** A connection that was lost may be noticed by the next query only; the one after that must go through. */
async function askTwice(db: Database): Promise<unknown> {
  const ask = sql`select 1 as one`;
  const { rows } = await ask.execute(db).catch(() => ask.execute(db));
  return rows[0];
}

function openWith(url: string, limits: ConstructorParameters<typeof Database>[1]): Database {
  return new Database({ dialect: 'postgres', url, place: 'a test' }, limits);
}

async function endConnections(db: Database): Promise<void> {
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(db);
}

/** What stands between us and a server. */
interface Line {
  readonly url: string;
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** Keeps connections open, and lets nothing through in either direction. */
  freeze(): void;
}

async function openLine(target: URL): Promise<Line> {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) sockets.add(socket.on('error', () => socket.destroy()));
    if (isFrozen) return;
    near.pipe(far);
    far.pipe(near);
  });
  const port = await listen(server, 0);
  const url = new URL(target);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    async cut() {
      for (const socket of sockets) socket.destroy();
      sockets.clear();
      if (server.listening) await once(server.close(), 'close');
    },
    async mend() {
      isFrozen = false;
      await listen(server, port);
    },
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
  };
}

async function listen(server: Server, port: number): Promise<number> {
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : port;
}
