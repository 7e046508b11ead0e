import { type Database, openDatabase } from '@app/persistence';
import { useMigratedDatabase } from '@app/persistence/testing';
import { sql } from 'kysely';
import { AccountsStore } from '../accounts.store';
import { RevocationFeed } from './revocation-feed';
import { RevocationView } from './revocation-view';
import { type Revocation, RevocationsStore } from './revocations.store';
import { Revocations } from './revocations';
import { AccountStateCache } from './account-state-cache';

const NEVER_MS = 3_600_000;

describe('a program that hears of revocations (D17)', () => {
  const current = useMigratedDatabase();
  const feeds: RevocationFeed[] = [];
  afterEach(() => Promise.all(feeds.splice(0).map((feed) => feed.stop())));

  /** A program that looks into the log unasked so often, in milliseconds. */
  async function hear(pollMs: number): Promise<{ view: RevocationView; accountStates: AccountStateCache }> {
    const db = current.openAnother();
    const store = new AccountsStore(db);
    const accountStates = new AccountStateCache((id) => store.stateOf(id));
    const view = new RevocationView(accountStates, 60);
    const feed = new RevocationFeed(db, view, accountStates, pollMs);
    feeds.push(feed);
    await feed.start();
    return { view, accountStates };
  }

  /** Another program ends a session. */
  async function end(sid: string): Promise<void> {
    const accountStates = new AccountStateCache(async () => undefined);
    const view = new RevocationView(accountStates, 60);
    const revocations = new Revocations(current.db, new RevocationsStore(current.db), view);
    await revocations.inTransaction(async (_, revoke) => revoke('session', sid));
  }

  /** What stands in the log, though nobody was told. */
  async function write(...revocations: Revocation[]): Promise<void> {
    const rows = revocations.map(({ kind, subject }) => ({ kind, subject, createdAt: new Date() }));
    await current.db.insertInto('revocation').values(rows).execute();
  }

  const soon = (claim: () => unknown) => vi.waitFor(claim, { timeout: 10_000, interval: 5 });
  const isHeard = (view: RevocationView, sid: string) => soon(() => expect(view.isRevoked(sid)).toBe(true));

  it('knows what was ended before it started', async () => {
    await end('before');
    expect((await hear(NEVER_MS)).view.isRevoked('before')).toBe(true);
  });

  it('finds what was ended by looking, without being told', async () => {
    const { view } = await hear(5);
    await write({ kind: 'session', subject: 'a sid' }, { kind: 'token', subject: 'a jti' });
    await isHeard(view, 'a sid');
    expect(view.isRevoked('a jti')).toBe(true);
  });

  it('looks once more when it was told while it was looking', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await hear(1_000);
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<[]>()];
    const reading = vi.spyOn(RevocationsStore.prototype, 'readSince').mockImplementationOnce(() => {
      begun.resolve();
      return held.promise;
    });
    vi.advanceTimersByTime(1_000);
    await begun.promise;
    vi.advanceTimersByTime(1_000);
    vi.useRealTimers();
    held.resolve([]);
    await soon(() => expect(reading.mock.calls.length).toBeGreaterThan(1));
    reading.mockRestore();
  });

  it('reads everything anew, accounts too, once it could not read for a while', async () => {
    const { view, accountStates } = await hear(5);
    await accountStates.of(7);
    expect(accountStates.of(7)).toBeNull();
    const reading = vi.spyOn(RevocationsStore.prototype, 'readSince').mockRejectedValue(new Error('away'));
    await soon(() => expect(reading).toHaveBeenCalled());
    await write({ kind: 'session', subject: 'meanwhile' });
    expect(view.isRevoked('meanwhile')).toBe(false);
    reading.mockRestore();
    await isHeard(view, 'meanwhile');
    expect(accountStates.of(7)).toBeInstanceOf(Promise);
  });

  describe.runIf(process.env.TEST_DATABASE_URL)('from PostgreSQL', () => {
    const listeners = async (db: Database = current.db) => {
      const { rows } = await sql<{ pid: number }>`
        select pid from pg_stat_activity
        where datname = current_database() and state = 'idle' and query like 'listen %'`.execute(db);
      return rows.map(({ pid }) => pid);
    };

    it('hears of what was ended, though it never looks by itself', async () => {
      const { view } = await hear(NEVER_MS);
      await soon(async () => expect(await listeners()).toHaveLength(1));
      for (const sid of ['first', 'second']) {
        await end(sid);
        await isHeard(view, sid);
      }
    });

    it('listens again when its connection was cut, and then knows what was ended meanwhile', async () => {
      const { view } = await hear(NEVER_MS);
      await soon(async () => expect(await listeners()).toHaveLength(1));
      const [pid] = await listeners();
      const operator = openDatabase(current.url);
      await sql`select pg_terminate_backend(${pid})`.execute(operator);
      await operator.destroy();
      await end('meanwhile');
      await isHeard(view, 'meanwhile');
      await soon(async () => expect((await listeners()).filter((each) => each !== pid)).toHaveLength(1));
      await end('afterwards');
      await isHeard(view, 'afterwards');
    });
  });
});
