import { type Database, openDatabase, UnknownOutcomeError } from '@app/persistence';
import { useLostConnections } from '@app/persistence/testing';
import { sql } from 'kysely';
import { useAccountsDatabase } from '../../testing/accounts-database';
import { AccountsStore } from '../account/accounts.store';
import { EntryNumbers } from './entry-numbers';
import { RevocationFeed } from './revocation-feed';
import { RevocationCache } from './revocation-cache';
import { type Revocation, RevocationsStore } from './revocations.store';
import { Revocations } from './revocations';

const NEVER_MS = 3_600_000;
const isNotified = process.env.TEST_DATABASE_URL !== undefined;

describe('the feed of revocations (D17)', () => {
  const current = useAccountsDatabase();
  const lost = useLostConnections(current);
  const feeds: RevocationFeed[] = [];
  afterEach(() => Promise.all(feeds.splice(0).map((feed) => feed.stop())));

  /** Starts a feed with a polling interval. */
  async function startFeed(pollMs: number): Promise<RevocationCache> {
    const db = current.openAnother();
    const store = new AccountsStore(db);
    const cache = new RevocationCache((id) => store.stateOf(id), { ttlSeconds: 60 });
    const feed = new RevocationFeed(db, cache, { pollMs });
    feeds.push(feed);
    await feed.start();
    return cache;
  }

  /** Revokes a session in another instance. */
  async function revoke(sid: string): Promise<void> {
    await revocationsOfAProgram().inTransaction(async (_, add) => add('session', sid));
  }

  function revocationsOfAProgram(db = current.db): Revocations {
    const cache = new RevocationCache(async () => undefined, { ttlSeconds: 60 });
    return new Revocations(db, new RevocationsStore(db), cache);
  }

  /** Inserts entries without a notification. */
  async function write(...revocations: Revocation[]): Promise<void> {
    const rows = revocations.map((revocation) => dated(revocation));
    await current.db.insertInto('revocation').values(rows).execute();
  }

  const numbers = new EntryNumbers();
  const dated = (revocation: Revocation, createdAt = new Date()) => {
    const number = numbers.next();
    numbers.settle([number]);
    return { ...revocation, ...number, createdAt };
  };

  const soon = (claim: () => unknown) => vi.waitFor(claim, { timeout: 10_000, interval: 5 });
  const becomesRevoked = (cache: RevocationCache, sid: string) =>
    soon(() => expect(cache.isRevoked(sid)).toBe(true));

  it('applies what was committed, and no more, where connections are lost at commits', async ({ skip }) => {
    skip(process.env.TEST_DATABASE_URL === undefined, 'needs PostgreSQL');
    const cache = await startFeed(5);
    const revocations = revocationsOfAProgram(await lost.open('sequence'));
    const revokeBy = (sid: string) => revocations.inTransaction(async (_, add) => add('session', sid));
    for (const [at, when] of (['after', 'before', 'before', 'after'] as const).entries()) {
      const uncut = lost.cutCommit(when);
      await expect(revokeBy(`cut ${when} ${at}`)).rejects.toThrow(UnknownOutcomeError);
      uncut();
      await revokeBy(`then ${at}`);
      await becomesRevoked(cache, `then ${at}`);
    }
    await becomesRevoked(cache, 'cut after 0');
    await becomesRevoked(cache, 'cut after 3');
    expect(cache.size).toBe(6);
  });

  it('reads the revocations before its start', async () => {
    await revoke('before');
    expect((await startFeed(NEVER_MS)).isRevoked('before')).toBe(true);
  });

  it('reads all pages of them, but not what is older than any token', async () => {
    // Tokens live for 60 seconds here; clocks may differ by a minute, and the clock of the store be set by another one.
    const ages = { old: 200_000, recent: 180_000 };
    for (const [subject, age] of Object.entries(ages))
      await current.db
        .insertInto('revocation')
        .values(dated({ kind: 'session', subject }, new Date(Date.now() - age)))
        .execute();
    for (let page = 0; page < 5; page += 1) {
      const sids = Array.from({ length: 500 }, (_, at) => `sid-${page * 500 + at}`);
      await write(...sids.map((subject) => ({ kind: 'session' as const, subject })));
    }

    const cache = await startFeed(NEVER_MS);
    expect([cache.size, cache.isRevoked('sid-0'), cache.isRevoked('sid-2499')]).toEqual([2_501, true, true]);
    expect([cache.isRevoked('recent'), cache.isRevoked('old')]).toEqual([true, false]);
  });

  it('lets other work run between two pages', async () => {
    const sids = Array.from({ length: 10_000 }, (_, at) => `sid ${at}`);
    const entries = sids.map((subject) => ({ kind: 'session' as const, subject }));
    const reading = vi
      .spyOn(RevocationsStore.prototype, 'readAfter')
      .mockResolvedValueOnce({ entries, last: new Date(0) });
    const other = vi.fn<() => void>();
    setImmediate(other);
    expect((await startFeed(NEVER_MS)).size).toBe(10_000);
    expect([other.mock.calls.length, reading.mock.calls.length]).toEqual([1, 2]);
    reading.mockRestore();
  });

  it('polls for revocations without a notification', async () => {
    const cache = await startFeed(5);
    await write({ kind: 'session', subject: 'a sid' }, { kind: 'token', subject: 'a jti' });
    await becomesRevoked(cache, 'a sid');
    expect(cache.isRevoked('a jti')).toBe(true);
  });

  it('reads again after a notification during a read', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await startFeed(1_000);
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<[]>()];
    const reading = vi.spyOn(RevocationsStore.prototype, 'lastOfEach').mockImplementationOnce(() => {
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

  it('reads the log from the start again after a failure, and clears the cache of accounts', async () => {
    const cache = await startFeed(5);
    await cache.stateOf(7);
    expect(cache.stateOf(7)).toBeNull();
    const reading = vi.spyOn(RevocationsStore.prototype, 'lastOfEach').mockRejectedValue(new Error('away'));
    await soon(() => expect(reading).toHaveBeenCalled());
    await write({ kind: 'session', subject: 'meanwhile' });
    expect(cache.isRevoked('meanwhile')).toBe(false);
    reading.mockRestore();
    await becomesRevoked(cache, 'meanwhile');
    expect(cache.stateOf(7)).toBeInstanceOf(Promise);
  });

  describe.runIf(process.env.TEST_DATABASE_URL)('from PostgreSQL', () => {
    it('reads what a program wrote whose clock is behind: the clock of the server counts', async () => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
      await revoke('behind').finally(() => vi.useRealTimers());
      expect((await startFeed(NEVER_MS)).isRevoked('behind')).toBe(true);
    });

    it('reads what a slower transaction of the same program commits after a faster one', async () => {
      const cache = await startFeed(5);
      const revocations = revocationsOfAProgram();
      const [appended, pending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const append = vi.spyOn(RevocationsStore.prototype, 'append').mockImplementationOnce(async function (
        this: RevocationsStore,
        ...entries
      ) {
        append.mockRestore();
        await this.append(...entries);
        appended.resolve();
        await pending.promise;
      });
      const slow = revocations.inTransaction(async (_, add) => add('session', 'slow'));
      await appended.promise;
      for (const sid of ['fast', 'faster']) {
        await revocations.inTransaction(async (_, add) => add('session', sid));
        await becomesRevoked(cache, sid);
      }
      expect(cache.isRevoked('slow')).toBe(false);

      pending.resolve();
      await slow;
      await becomesRevoked(cache, 'slow');
    });
  });

  describe.runIf(isNotified)('from PostgreSQL that notifies', () => {
    const listeners = async (db: Database = current.db) => {
      const { rows } = await sql<{ pid: number }>`
        select pid from pg_stat_activity
        where datname = current_database() and state = 'idle' and query like 'listen %'`.execute(db);
      return rows.map(({ pid }) => pid);
    };

    it('is notified without polling', async () => {
      const cache = await startFeed(NEVER_MS);
      await soon(async () => expect(await listeners()).toHaveLength(1));
      for (const sid of ['first', 'second']) {
        await revoke(sid);
        await becomesRevoked(cache, sid);
      }
    });

    it('listens again after a lost connection, and reads the missed revocations', async () => {
      const cache = await startFeed(NEVER_MS);
      await soon(async () => expect(await listeners()).toHaveLength(1));
      const [pid] = await listeners();
      const operator = openDatabase(current.url);
      await sql`select pg_terminate_backend(${pid})`.execute(operator);
      await operator.destroy();
      await revoke('meanwhile');
      await becomesRevoked(cache, 'meanwhile');
      await soon(async () => expect((await listeners()).filter((each) => each !== pid)).toHaveLength(1));
      await revoke('afterwards');
      await becomesRevoked(cache, 'afterwards');
    });
  });
});
