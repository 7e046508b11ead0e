import { sql } from 'kysely';
import { useMigratedDatabase } from '../../../testing/migrated-database';
import { type Database, openDatabase } from '../../database/database';
import { listen } from '../../database/listen';

const unreachable = '127.0.0.1:1';

describe.runIf(process.env.TEST_DATABASE_URL)('several hosts of PostgreSQL', () => {
  const store = useMigratedDatabase();
  const handles: Database[] = [];

  const openOn = (hosts: (own: string) => string, attribute = 'read-write'): Database => {
    const { host } = new URL(store.url);
    const url = `${store.url.replace(host, hosts(host))}?target_session_attrs=${attribute}`;
    const db = openDatabase(url);
    handles.push(db);
    return db;
  };
  afterEach(async () => {
    await Promise.all(handles.splice(0).map((db) => db.destroy()));
  });

  it('are tried in turn until one can be used', async () => {
    const db = openOn((own) => `${unreachable},${own},${unreachable}`);

    const answers = await Promise.all(Array.from({ length: 30 }, () => one(db)));

    expect(new Set(answers)).toEqual(new Set([1]));
    expect(await db.check()).toEqual({ state: 'ok' });
  });

  it('are found again by a check when the one in use no longer responds', async () => {
    const db = openOn((own) => `${unreachable},${own}`);

    expect(await db.check()).toEqual({ state: 'ok' });
    expect(await one(db)).toBe(1);
  });

  it('are unavailable when none can be used', async () => {
    const db = openOn(() => `${unreachable},${unreachable}`);

    await expect(one(db)).rejects.toThrow('the server cannot be reached (ECONNREFUSED)');
    expect(await db.check()).toMatchObject({ state: 'unavailable' });
  });

  it('are not used while they accept no writes, unless any will do', async () => {
    const name = new URL(store.url).pathname.slice(1);
    await sql`alter database ${sql.id(name)} set default_transaction_read_only = on`.execute(store.db);

    await expect(one(openOn((own) => `${own},${own}`))).rejects.toThrow('it is read-only');
    expect(await one(openOn((own) => `${own},${own}`, 'any'))).toBe(1);
  });

  it('are listened to wherever one can be', async () => {
    const heard = Promise.withResolvers<string>();
    const db = openOn((own) => `${unreachable},${own}`);

    const stop = listen(db, 'a_channel', () => heard.resolve('connected'));

    expect(await heard.promise).toBe('connected');
    await stop();
  });
});

async function one(db: Database): Promise<number | undefined> {
  const { rows } = await sql<{ one: number }>`select 1 as one`.execute(db);
  return rows[0]?.one;
}
