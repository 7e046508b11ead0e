import { baseSchema, sampleSchema } from '../testing/sample-schema';
import { hasPatroni, type PatroniPair, startPatroniPair } from '../testing/patroni';
import { type Database, openDatabase } from './database/database';
import { StoreUnavailableError } from './errors';
import { migrate } from './migrations/migrate';
import { inTransaction } from './database/transaction';

const WRITERS = 8;
/** Acknowledged writes before the leader ends, and again on the other server. */
const ENOUGH = 1_000;
const LONGEST_MS = 10_000;

const canRun = process.env.PATRONI === 'on' && hasPatroni();
const why = canRun ? '' : ' (needs PATRONI=on, and Debian’s patroni, etcd-server and postgresql)';

describe.runIf(canRun)(`a leader that Patroni replaces while programs write${why}`, () => {
  let servers: PatroniPair;
  let db: Database;

  beforeAll(async () => {
    servers = await startPatroniPair();
    db = openDatabase(`${servers.url}?target_session_attrs=read-write`);
  }, 240_000);
  afterAll(async () => {
    await db.destroy();
    await servers.stop();
  }, 60_000);

  it('loses nothing that was acknowledged, and is written to within ten seconds', async () => {
    await migrate(db, [baseSchema, sampleSchema]);
    const before: number[] = [];
    const after: number[] = [];
    let killedAt = Infinity;
    let returnedAt = Infinity;

    const writing = Promise.all(
      Array.from({ length: WRITERS }, async () => {
        while (after.length < ENOUGH) {
          const startedAt = performance.now();
          const id = await tryToWrite(db);
          if (id === undefined) continue;
          if (startedAt > killedAt) returnedAt = Math.min(returnedAt, performance.now());
          (startedAt > killedAt ? after : before).push(id);
        }
      }),
    );
    await vi.waitFor(() => expect(before.length).toBeGreaterThan(ENOUGH), { timeout: 60_000, interval: 5 });
    await servers.killLeader();
    killedAt = performance.now();
    await writing;

    const rows = await db.selectFrom('sampleBasket').select('id').execute();
    const kept = new Set(rows.map(({ id }) => id));
    expect([...before, ...after].filter((id) => !kept.has(id))).toEqual([]);
    expect(returnedAt - killedAt).toBeLessThan(LONGEST_MS);
  }, 180_000);
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
