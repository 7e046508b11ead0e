import { unlink } from 'node:fs/promises';
import { Database, openDatabase } from '@app/persistence';
import { stopHousekeeping } from '@app/service/testing';
import { Logger } from '@nestjs/common';
import { sql } from 'kysely';
import { bootApi } from '../testing/boot-api';

const isPostgres = process.env.TEST_DATABASE_URL !== undefined;
const order = { items: [{ sku: 'tea', quantity: '1' }] };

describe('api on a store that accepts no writes', () => {
  const api = bootApi();

  it('answers reads, rejects writes with 503, and reports that in readiness until a write succeeds', async () => {
    const client = await api.newcomer();
    await stopHousekeeping(api.app());
    const db = api.app().get(Database, { strict: false });

    // Another write of the program, such as that of a mail, may be the one that fails on SQLite.
    await vi.waitFor(
      async () => {
        const { items } = (await client.get('/orders')).json;
        await makeReadOnly(db);
        const { status, headers, json } = await client.post('/orders', order);
        expect([status, headers.get('retry-after')]).toEqual([503, '2']);
        expect(json).toMatchObject({ statusCode: 503, error: 'Service Unavailable' });
        expect((await client.get('/orders')).json.items).toEqual(items);
        expect(await readiness(api)).toEqual([200, { status: 'ok', checks: { store: 'ok', writes: false } }]);
      },
      { timeout: 10_000 },
    );

    await makeWritable(db);
    // The end of a connection that the server closed may not have arrived yet.
    await vi.waitFor(async () => expect((await client.post('/orders', order)).status).toBe(201), {
      timeout: 10_000,
    });
    expect(await readiness(api)).toEqual([200, { status: 'ok', checks: { store: 'ok', writes: true } }]);
  });
});

describe('api whose database is deleted while in use', () => {
  const api = bootApi();

  it('rejects writes with 503, is not ready, and logs it once', async () => {
    const lines = [vi.spyOn(Logger.prototype, 'fatal'), vi.spyOn(Logger.prototype, 'error')];
    const client = await api.newcomer();
    expect((await client.post('/orders', order)).status).toBe(201);
    await removeDatabase(api.app().get(Database, { strict: false }));

    // PostgreSQL closed the connection, which its client detects at the next query.
    await client.post('/orders', order);
    expect((await client.post('/orders', order)).status).toBe(503);
    expect(await readiness(api)).toEqual([
      503,
      { status: 'unavailable', checks: { store: 'unavailable', writes: false } },
    ]);
    await vi.waitFor(() => expect(lines.flatMap(({ mock }) => mock.calls)).toHaveLength(1), {
      timeout: 10_000,
    });
    const [[line]] = lines.flatMap(({ mock }) => mock.calls);
    expect(line).toMatch(
      isPostgres ? /the database does not exist/ : /was deleted or moved while in use: move it back/,
    );
    vi.restoreAllMocks();
  });
});

async function readiness(api: ReturnType<typeof bootApi>): Promise<unknown[]> {
  const { status, json } = await api().get('/health/ready');
  return [status, json];
}

async function makeReadOnly(db: Database): Promise<void> {
  // On SQLite it applies to the connection, which is reopened after the first failed write.
  if (!isPostgres) await sql`pragma query_only = on`.execute(db);
  else await setReadOnly(db, 'on');
}

async function makeWritable(db: Database): Promise<void> {
  if (isPostgres) await setReadOnly(db, 'off');
}

async function setReadOnly(db: Database, value: 'on' | 'off'): Promise<void> {
  const secondHandle = db.openAnother();
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(secondHandle);
  await secondHandle.connection().execute(async (connection) => {
    await sql`set default_transaction_read_only = off`.execute(connection);
    await sql`
      alter database ${sql.id(rows[0]?.name ?? '')}
      set default_transaction_read_only = ${sql.raw(value)}`.execute(connection);
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(connection);
  });
  await secondHandle.destroy();
}

async function removeDatabase(db: Database): Promise<void> {
  if (!isPostgres) return unlink(db.place);
  const url = new URL(db.servers?.[0] ?? '');
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  const server = openDatabase(url.href);
  await sql`drop database ${sql.id(name)} with (force)`.execute(server);
  await server.destroy();
}
