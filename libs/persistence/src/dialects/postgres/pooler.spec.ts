import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { freePort } from '../../../testing/free-port';
import { baseSchema, sampleSchema } from '../../../testing/sample-schema';
import { anOwner } from '../../../testing/sample-schema';
import { temporaryDatabase, type TemporaryDatabase } from '../../../testing/temporary-database';
import { type Database, openDatabase } from '../../database/database';
import { StoreUnavailableError, UniqueViolationError } from '../../errors';
import { listen } from '../../database/listen';
import { migrate } from '../../migrations/migrate';
import { statement } from '../../statements/statement';
import { inTransaction } from '../../database/transaction';
import { defaultConnecting } from '../connecting';

const canRun = process.env.TEST_DATABASE_URL !== undefined && hasPooler();
const why = canRun ? '' : ' (needs PostgreSQL, and pgbouncer in the path)';

const byKey = statement(({ key }: { key: string }, db) =>
  db.selectFrom('sampleOwner').select(['id', 'changedAt']).where('emailKey', '=', key),
);

describe.runIf(canRun)(`pgbouncer in transaction mode${why}`, () => {
  let database: TemporaryDatabase;
  let folder: string;
  let pooler: ChildProcess;
  let db: Database;

  beforeAll(async () => {
    database = await temporaryDatabase();
    folder = mkdtempSync(join(tmpdir(), 'sluice-pooler-'));
    const port = await freePort();
    pooler = await startPooler(folder, port, new URL(database.url));
    const url = Object.assign(new URL(database.url), { host: `127.0.0.1:${port}` }).href;
    const timeouts = { waitMs: 5_000, statementMs: 200 };
    db = openDatabase(url, { ...defaultConnecting, timeouts, isPooled: true, directUrl: database.url });
    await migrate(db, [baseSchema, sampleSchema]);
  });
  afterAll(async () => {
    await db.destroy();
    const ended = once(pooler, 'exit');
    pooler.kill('SIGKILL');
    await ended;
    await database.remove();
    rmSync(folder, { recursive: true });
  });

  it('serves more connections than the server gives it, with statements of every kind', async () => {
    const keys = Array.from({ length: 60 }, (_, at) => `user-${at}@example.com`);
    await Promise.all(
      keys.map((key) =>
        inTransaction(db, async (queries) => {
          await queries.insertInto('sampleOwner').values(anOwner(key)).execute();
          expect(await byKey.all(queries, { key })).toHaveLength(1);
        }),
      ),
    );

    const rows = await Promise.all(keys.map((key) => byKey.first(db, { key })));
    expect(rows.every((row) => row?.changedAt instanceof Date)).toBe(true);
    const again = db.insertInto('sampleOwner').values(anOwner('user-0@example.com')).execute();
    await expect(again).rejects.toThrow(UniqueViolationError);
  });

  it('has timeouts for each transaction, and leaves none to the next', async () => {
    await expect(inTransaction(db, (queries) => sql`select pg_sleep(30)`.execute(queries))).rejects.toThrow(
      StoreUnavailableError,
    );

    const { rows } = await sql<{
      timeout: string;
    }>`select current_setting('statement_timeout') as timeout`.execute(db);
    expect(rows).toEqual([{ timeout: '0' }]);
  });

  it('is passed by for notifications', async () => {
    const heard = Promise.withResolvers<void>();
    let times = 0;
    const stop = listen(db, 'a_channel', () => {
      times += 1;
      if (times === 1) void sql`select pg_notify('a_channel', '')`.execute(db);
      else heard.resolve();
    });

    await heard.promise;
    await stop();
    expect(times).toBe(2);
  });

  it('is healthy', async () => {
    expect(await db.check()).toEqual({ state: 'ok' });
  });
});

function hasPooler(): boolean {
  try {
    execFileSync('pgbouncer', ['--version']);
    return true;
  } catch {
    return false;
  }
}

/** Starts the pooler with three server connections. It does not run as root. */
async function startPooler(folder: string, port: number, server: URL): Promise<ChildProcess> {
  const target = `host=${server.hostname} port=${server.port} dbname=${server.pathname.slice(1)} user=${server.username} password=${server.password}`;
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: 3,
    max_client_conn: 200,
    logfile: '',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, `[databases]\n* = ${target}\n[pgbouncer]\n${lines.join('\n')}\n`);
  chmodSync(folder, 0o755);
  const user = process.getuid?.() === 0 ? ['--user=nobody'] : [];
  const pooler = spawn('pgbouncer', [...user, file], { stdio: ['ignore', 'ignore', 'pipe'] });
  for await (const text of pooler.stderr ?? []) if (String(text).includes('process up')) break;
  return pooler;
}
