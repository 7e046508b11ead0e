import { sql } from 'kysely';
import { baseSchema, sampleSchema } from '../testing/sample-schema';
import { type PostgresPair, startPostgresPair } from '../testing/postgres-server';
import { type Database, openDatabase } from './database/database';
import { StoreUnavailableError } from './errors';
import { migrate } from './migrations/migrate';
import { inTransaction } from './database/transaction';

const WRITERS = 8;
/** Acknowledged writes before the primary ends, and again on the other server. */
const ENOUGH = 150;

describe.runIf(process.env.TEST_DATABASE_URL)('a standby that is promoted while programs write', () => {
  let servers: PostgresPair;
  const handles: Database[] = [];
  const open = (url: string): Database => {
    const db = openDatabase(url);
    handles.push(db);
    return db;
  };

  beforeAll(async () => {
    servers = await startPostgresPair();
  }, 60_000);
  afterAll(async () => {
    await Promise.all(handles.map((db) => db.destroy()));
    await servers.stop();
  });

  it('has everything that the primary acknowledged, and is written to', async () => {
    const db = open(`${servers.url}?target_session_attrs=read-write`);
    await migrate(db, [baseSchema, sampleSchema]);
    const standby = open(servers.standbyUrl);
    const before: number[] = [];
    const after: number[] = [];
    let acknowledged = before;

    const writing = Promise.all(
      Array.from({ length: WRITERS }, async () => {
        while (after.length < ENOUGH) {
          const id = await tryToWrite(db);
          if (id !== undefined) acknowledged.push(id);
        }
      }),
    );
    await vi.waitFor(() => expect(before.length).toBeGreaterThan(ENOUGH), { timeout: 60_000, interval: 5 });
    servers.killPrimary();
    await sql`select pg_promote()`.execute(standby);
    acknowledged = after;
    await writing;

    const rows = await standby.selectFrom('sampleBasket').select('id').execute();
    const kept = new Set(rows.map(({ id }) => id));
    expect([...before, ...after].filter((id) => !kept.has(id))).toEqual([]);
    expect(await db.check()).toEqual({ state: 'ok' });
  }, 120_000);
});

/** @returns the order's id, or `undefined` if the store was unavailable */
async function tryToWrite(db: Database): Promise<number | undefined> {
  try {
    const { id } = await inTransaction(db, (queries) =>
      queries.insertInto('sampleBasket').defaultValues().returning('id').executeTakeFirstOrThrow(),
    );
    return id;
  } catch (error) {
    if (error instanceof StoreUnavailableError) return undefined;
    throw error;
  }
}
