import { type Database, openDatabase, UnknownOutcomeError } from '@app/persistence';
import { useLostConnections } from '@app/persistence/testing';
import { sql } from 'kysely';
import { useAccountsDatabase } from '../../testing/accounts-database';
import { type OpenRevocation, OpenRevocations } from '../../testing/open-revocations';
import { AccountsStore } from '../account/accounts.store';
import { RevocationFeed } from './revocation-feed';
import { RevocationCache } from './revocation-cache';
import type { Revocation, RevocationRow } from './revocation.table';
import { Revocations } from './revocations';

const NEVER_MS = 3_600_000;
const isNotified = process.env.TEST_DATABASE_URL !== undefined;

describe('the feed of revocations (D17)', () => {
  const current = useAccountsDatabase();
  const lost = useLostConnections(current);
  const feeds: RevocationFeed[] = [];
  afterEach(() => Promise.all(feeds.splice(0).map((feed) => feed.stop())));

  /** Starts a feed with a polling interval. */
  async function startFeed(pollMs: number, db = current.openAnother()): Promise<RevocationCache> {
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
    return new Revocations(db, cache);
  }

  /** Inserts entries without a notification. */
  async function write(...revocations: Revocation[]): Promise<void> {
    await insert(revocations.map((revocation) => dated(revocation)));
  }

  async function insert(rows: readonly RevocationRow[]): Promise<void> {
    await current.db.insertInto('revocation').values(rows).execute();
  }

  let number = 0;
  const dated = (revocation: Revocation, createdAt = new Date()) => {
    number += 1;
    return { ...revocation, program: 'a program', number, settledBelow: number, createdAt };
  };

  const session = (subject: string): Revocation => ({ kind: 'session', subject });

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
    const sids = Array.from({ length: 10_500 }, (_, at) => `sid ${at}`);
    for (let at = 0; at < sids.length; at += 500) await write(...sids.slice(at, at + 500).map(session));
    const db = current.openAnother();
    const pages = limitsRead(db);
    const second = vi.fn<() => void>();
    setImmediate(second);
    expect((await startFeed(NEVER_MS, db)).size).toBe(10_500);
    expect([pages(), second.mock.calls.length]).toEqual([[10_000, 10_000], 1]);
  });

  it('polls for revocations without a notification', async () => {
    const cache = await startFeed(5);
    await write({ kind: 'session', subject: 'a sid' }, { kind: 'token', subject: 'a jti' });
    await becomesRevoked(cache, 'a sid');
    expect(cache.isRevoked('a jti')).toBe(true);
  });

  it('reads again after a notification during a read', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const db = current.openAnother();
    await startFeed(1_000, db);
    const [begun, waiting] = [Promise.withResolvers<void>(), Promise.withResolvers<{ rows: never[] }>()];
    const reading = vi.spyOn(db, 'executeQuery').mockImplementationOnce(() => {
      begun.resolve();
      return waiting.promise;
    });
    vi.advanceTimersByTime(1_000);
    await begun.promise;
    vi.advanceTimersByTime(1_000);
    vi.useRealTimers();
    waiting.resolve({ rows: [] });
    await soon(() => expect(reading.mock.calls.length).toBeGreaterThan(1));
  });

  it('reads the log from the start again after a failure, and clears the cache of accounts', async () => {
    const db = current.openAnother();
    const cache = await startFeed(5, db);
    await cache.stateOf(7);
    expect(cache.stateOf(7)).toBeNull();
    const reading = vi.spyOn(db, 'executeQuery').mockRejectedValue(new Error('away'));
    await soon(() => expect(reading).toHaveBeenCalled());
    await write({ kind: 'session', subject: 'meanwhile' });
    expect(cache.isRevoked('meanwhile')).toBe(false);
    reading.mockRestore();
    await becomesRevoked(cache, 'meanwhile');
    expect(cache.stateOf(7)).toBeInstanceOf(Promise);
  });

  describe('transactions that commit in any order', () => {
    /** A feed that has read what is committed already. */
    async function openFeed(db = current.openAnother()) {
      const cache = new RevocationCache(async () => undefined, { ttlSeconds: 60 });
      const applied = vi.spyOn(cache, 'apply');
      const limits = limitsRead(db);
      const feed = new RevocationFeed(db, cache);
      await feed.read();
      applied.mockClear();
      const read = async () => {
        await feed.read();
        return applied.mock.calls
          .splice(0)
          .flatMap(([revocations]) => revocations.map(({ subject }) => subject));
      };
      return { read, limits };
    }

    it('reads each entry once', async () => {
      const { read, limits } = await openFeed();
      const program = new OpenRevocations(current.openAnother());
      for (const sid of ['first', 'second', 'third']) {
        await program.revoke(sid);
        expect(await read()).toEqual([sid]);
      }
      const reads = limits().length;
      expect([await read(), limits().length]).toEqual([[], reads]);
    });

    it('reads an entry that is committed after those that follow it, whatever was read in between', async () => {
      const { read } = await openFeed();
      const program = new OpenRevocations(current.openAnother());
      const slow = await program.begin('slow');
      for (const sid of ['second', 'third', 'fourth']) {
        await program.revoke(sid);
        expect(await read()).toEqual([sid]);
      }
      await slow.commit();
      expect(await read()).toEqual(['slow']);
    });

    it('looks no more for an entry that was rolled back, once the program has said so', async () => {
      const { read, limits } = await openFeed();
      const program = new OpenRevocations(current.openAnother());
      const rolledBack = await program.begin('first');
      await program.revoke('second');
      await read();
      await rolledBack.rollBack();
      await program.revoke('third');
      expect(await read()).toEqual(['third']);
      const reads = limits().length;
      expect([await read(), limits().length]).toEqual([[], reads]);
    });

    it('gets on behind a transaction that takes longer than pages of others', async () => {
      const { read, limits } = await openFeed();
      const program = new OpenRevocations(current.openAnother(), undefined, 'a program');
      const slow = await program.begin('slow');
      number = 1;
      for (let page = 0; page < 50; page += 1)
        await insert(
          Array.from({ length: 500 }, (_, at) => ({
            ...dated(session(`sid ${page} ${at}`)),
            settledBelow: 1,
          })),
        );
      const opening = limits().length;
      expect(await read()).toHaveLength(25_000);
      expect(limits().slice(opening)).toEqual([10_000, 20_000, 40_000]);
      await slow.commit();
      expect(await read()).toEqual(['slow']);
    });

    it('reads every entry of any interleaving of three programs, once', async () => {
      for (let seed = 1; seed <= 4; seed += 1) {
        const { read } = await openFeed();
        const { committed, step } = interleaving(seed);
        const seen: string[] = [];
        for (let count = 0; count < 100; count += 1) if (!(await step())) seen.push(...(await read()));
        seen.push(...(await read()));
        expect(seen.toSorted()).toEqual(committed.toSorted());
      }
    });

    it('reads every entry, whenever it is opened and whatever is committed meanwhile', async () => {
      for (let seed = 1; seed <= 8; seed += 1) {
        const { committed, step } = interleaving(seed);
        const steps = async (most: number) => {
          for (let count = seed % most; count > 0; count -= 1) await step();
        };
        await steps(50);
        const db = current.openAnother();
        const execute = db.executeQuery.bind(db);
        let isPageRead = false;
        vi.spyOn(db, 'executeQuery').mockImplementation(async (query) => {
          const isFirst = !isPageRead && isOfPage(query);
          isPageRead ||= isFirst;
          if (isFirst) await steps(20);
          return execute(query);
        });
        const cache = new RevocationCache(async () => undefined, { ttlSeconds: 60 });
        const feed = new RevocationFeed(db, cache);
        await feed.read();
        await steps(30);
        await feed.read();
        expect(committed.filter((sid) => !cache.isRevoked(sid))).toEqual([]);
        expect(isPageRead).toBe(true);
      }
    });

    /** Three programs' transactions, which begin, commit and roll back in any order. */
    function interleaving(seed: number) {
      const random = randomFrom(seed);
      const programs = [1, 2, 3].map(() => new OpenRevocations(current.openAnother()));
      const open: OpenRevocation[] = [];
      const committed: string[] = [];
      let begun = 0;
      /** @returns whether something may have happened */
      const step = async (): Promise<boolean> => {
        const choice = random(4);
        if (choice < 2) {
          begun += 1;
          open.push(await programs[random(3)].begin(`seed ${seed} entry ${begun}`));
        } else if (choice === 2 && open.length > 0) {
          const [transaction] = open.splice(random(open.length), 1);
          if (random(5) > 0) {
            await transaction.commit();
            committed.push(transaction.sid);
          } else await transaction.rollBack();
        } else return false;
        return true;
      };
      return { step, committed };
    }
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
      const slow = revocations.inTransaction(async (transaction, add) => {
        const execute = transaction.executeQuery.bind(transaction);
        vi.spyOn(transaction, 'executeQuery').mockImplementationOnce(async (query) => {
          await execute(query);
          appended.resolve();
          await pending.promise;
          return { rows: [] };
        });
        add('session', 'slow');
      });
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

/** The limits for pages that a handle reads. */
function limitsRead(db: Database): () => unknown[] {
  const reading = vi.spyOn(db, 'executeQuery');
  return () =>
    reading.mock.calls.flatMap(([query]) =>
      'parameters' in query && /limit (?:\?|\$\d)/.test(query.sql) && !query.sql.includes('"writer"')
        ? [query.parameters.at(-1)]
        : [],
    );
}

function isOfPage(query: object): boolean {
  return 'sql' in query && String(query.sql).includes('"last_at"');
}

/** Pseudo-random integers below a limit, the same in each run (mulberry32). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
