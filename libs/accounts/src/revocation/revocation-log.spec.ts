import { type EntryNumber, EntryNumbers } from './entry-numbers';
import { RevocationLog } from './revocation-log';
import type { EntriesFrom, LoggedRevocation, Revocation, RevocationsStore } from './revocations.store';

interface Row extends EntryNumber {
  readonly subject: string;
  readonly at: number;
}

/** The committed entries, in memory. */
class FakeStore implements Pick<RevocationsStore, 'lastOfEach' | 'readAfter' | 'read'> {
  readonly rows: Row[] = [];
  readonly limits: number[] = [];
  /** Happens before the next page by time is read. */
  meanwhile = (): void => {};

  async lastOfEach() {
    return [...this.byProgram()].flatMap(([program, rows]) =>
      rows
        .toSorted((one, other) => other.number - one.number)
        .slice(0, 1)
        .map(({ number: last, settledBelow }) => ({ program, last, settledBelow })),
    );
  }

  async readAfter(after: Date, limit: number) {
    this.meanwhile();
    this.limits.push(limit);
    const rows = this.rows
      .filter(({ at }) => at > after.getTime())
      .toSorted((one, other) => one.at - other.at);
    const last = rows.slice(0, limit).at(-1)?.at ?? after.getTime();
    const entries = rows.filter(({ at }) => at <= last);
    return {
      entries: entries.map(({ subject }) => ({ kind: 'session' as const, subject })),
      last: new Date(last),
    };
  }

  async read({ program, from, limit }: EntriesFrom): Promise<LoggedRevocation[]> {
    this.limits.push(limit);
    return this.rows
      .filter((row) => row.program === program && row.number >= from)
      .toSorted((one, other) => one.number - other.number)
      .slice(0, limit)
      .map(({ number, settledBelow, subject }) => ({ number, settledBelow, subject, kind: 'session' }));
  }

  private byProgram(): Map<string, Row[]> {
    return Map.groupBy(this.rows, ({ program }) => program);
  }
}

describe('reading the log of revocations', () => {
  async function openLog(store = new FakeStore(), since = 0) {
    let subjects: string[] = [];
    const pause = vi.fn<() => Promise<void>>(async () => undefined);
    const apply = (entries: readonly Revocation[]) => subjects.push(...entries.map(({ subject }) => subject));
    const log = await RevocationLog.open({ store, apply, pause }, new Date(since));
    const read = async () => {
      await log.read();
      const unread = subjects;
      subjects = [];
      return unread;
    };
    const commit = (...numbers: EntryNumber[]) => {
      for (const number of numbers)
        store.rows.push({ ...number, subject: String(number.number), at: number.number });
    };
    return { store, read, commit, pause };
  }

  it('reads each entry once', async () => {
    const { store, read, commit } = await openLog();
    const numbers = new EntryNumbers();
    for (let round = 1; round <= 3; round += 1) {
      const number = numbers.next();
      commit(number);
      numbers.settle([number]);
      expect(await read()).toEqual([String(round)]);
    }
    const reads = store.limits.length;
    expect([await read(), store.limits.length]).toEqual([[], reads]);
  });

  it('reads an entry that is committed after those that follow it, whatever was read in between', async () => {
    const { read, commit } = await openLog();
    const numbers = new EntryNumbers();
    const slow = numbers.next();
    for (const expected of ['2', '3', '4']) {
      const number = numbers.next();
      commit(number);
      numbers.settle([number]);
      expect(await read()).toEqual([expected]);
    }
    commit(slow);
    expect(await read()).toEqual(['1']);
  });

  it('looks no more for an entry that was rolled back, once the program has said so', async () => {
    const { store, read, commit } = await openLog();
    const numbers = new EntryNumbers();
    const [rolledBack, committed] = [numbers.next(), numbers.next()];
    commit(committed);
    await read();
    numbers.settle([rolledBack, committed]);
    commit(numbers.next());
    expect(await read()).toEqual(['3']);
    const reads = store.limits.length;
    expect([await read(), store.limits.length]).toEqual([[], reads]);
  });

  it('gets on behind a transaction that takes longer than pages of others', async () => {
    const { store, read, commit, pause } = await openLog();
    const numbers = new EntryNumbers();
    const slow = numbers.next();
    const fast = Array.from({ length: 25_000 }, () => numbers.next());
    commit(...fast);
    const opening = store.limits.length;
    expect(await read()).toHaveLength(25_000);
    expect(store.limits.slice(opening)).toEqual([10_000, 20_000, 40_000]);
    expect(pause).toHaveBeenCalledTimes(2);
    commit(slow);
    expect(await read()).toEqual(['1']);
  });

  it('reads all pages of what is recent when it is opened, and what is committed behind the page that is read', async () => {
    const store = new FakeStore();
    const numbers = new EntryNumbers();
    const entryOf = (given: EntryNumber) => ({ ...given, subject: String(given.number), at: given.number });
    const [old, slow] = [numbers.next(), numbers.next()];
    numbers.settle([old]);
    store.rows.push(entryOf(old));
    for (let count = 0; count < 25_000; count += 1) store.rows.push(entryOf(numbers.next()));
    store.meanwhile = () => {
      if (store.limits.length === 2) store.rows.push(entryOf(slow));
    };

    const { read, pause } = await openLog(store, 1);
    expect([store.limits, pause.mock.calls.length]).toEqual([[10_000, 10_000, 10_000], 2]);
    const seen = new Set(await read());
    expect([seen.size, seen.has('1'), seen.has('2')]).toEqual([25_001, false, true]);
    const reads = store.limits.length;
    expect([await read(), store.limits.length]).toEqual([[], reads]);
  });

  it('reads every entry of any interleaving of three programs, once', async () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const { store, read } = await openLog();
      const { expected, step } = interleaving(store, seed);
      const seen: string[] = [];
      for (let count = 0; count < 200; count += 1) if (!step()) seen.push(...(await read()));
      seen.push(...(await read()));
      expect(seen.toSorted()).toEqual(expected().toSorted());
    }
  });

  it('reads every entry since a time, whenever it is opened and whatever is committed meanwhile', async () => {
    for (let seed = 1; seed <= 500; seed += 1) {
      const store = new FakeStore();
      const { expected, step, at } = interleaving(store, seed);
      for (let count = seed % 50; count > 0; count -= 1) step();
      const since = at();
      for (let count = seed % 40; count > 0; count -= 1) step();
      store.meanwhile = () => {
        for (let count = seed % 20; count > 0; count -= 1) step();
      };
      const { read } = await openLog(store, since);
      store.meanwhile = () => {};
      for (let count = 0; count < 20; count += 1) step();
      const seen = await read();
      expect(seen).toEqual(expect.arrayContaining(expected(since)));
    }
  });
});

/** Transactions of three programs, which begin, are committed and rolled back in any order. */
function interleaving(store: FakeStore, seed: number) {
  const random = randomFrom(seed);
  const programs = [new EntryNumbers(), new EntryNumbers(), new EntryNumbers()];
  const open: { numbers: EntryNumbers; given: Row }[] = [];
  let at = 0;
  /** @returns whether something may have happened */
  const step = (): boolean => {
    const choice = random(4);
    if (choice < 2) {
      const numbers = programs[random(3)];
      at += 1;
      open.push({ numbers, given: { ...numbers.next(), subject: `entry ${at}`, at } });
    } else if (choice === 2 && open.length > 0) {
      const [{ numbers, given }] = open.splice(random(open.length), 1);
      if (random(5) > 0) store.rows.push(given);
      numbers.settle([given]);
    } else return false;
    return true;
  };
  const expected = (since = 0) => store.rows.filter((row) => row.at > since).map(({ subject }) => subject);
  return { step, expected, at: () => at };
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
