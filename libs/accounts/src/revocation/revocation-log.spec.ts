import { type EntryNumber, EntryNumbers } from './entry-numbers';
import { RevocationLog } from './revocation-log';
import type { EntriesFrom, LoggedRevocation, RevocationsStore } from './revocations.store';

interface Row extends EntryNumber {
  readonly subject: string;
}

/** The committed entries, in memory. */
class FakeStore implements Pick<RevocationsStore, 'lastOfEach' | 'firstOfEach' | 'read'> {
  readonly rows: Row[] = [];
  readonly limits: number[] = [];

  async lastOfEach() {
    return [...this.byProgram()].map(([program, rows]) => ({
      program,
      last: Math.max(...rows.map(({ number }) => number)),
    }));
  }

  async firstOfEach() {
    return [...this.byProgram()].map(([program, rows]) => ({
      program,
      from: Math.min(...rows.map(({ settledBelow }) => settledBelow)),
    }));
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
  async function openLog() {
    const store = new FakeStore();
    const log = await RevocationLog.open(store as Partial<RevocationsStore> as RevocationsStore, new Date(0));
    const read = async () => {
      const subjects: string[] = [];
      await log.read((entries) => subjects.push(...entries.map(({ subject }) => subject)));
      return subjects;
    };
    const commit = (...numbers: EntryNumber[]) => {
      for (const number of numbers) store.rows.push({ ...number, subject: String(number.number) });
    };
    return { store, read, commit };
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
    const { store, read, commit } = await openLog();
    const numbers = new EntryNumbers();
    const slow = numbers.next();
    const fast = Array.from({ length: 2_500 }, () => numbers.next());
    commit(...fast);
    expect(await read()).toHaveLength(2_500);
    expect(store.limits).toEqual([1_000, 2_000, 4_000]);
    commit(slow);
    expect(await read()).toEqual(['1']);
  });

  it('reads every entry of any interleaving of three programs, once', async () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const { read, commit } = await openLog();
      const random = randomFrom(seed);
      const programs = [new EntryNumbers(), new EntryNumbers(), new EntryNumbers()];
      const open: { numbers: EntryNumbers; given: EntryNumber }[] = [];
      const expected: string[] = [];
      const seen: string[] = [];
      for (let step = 0; step < 200; step += 1) {
        const choice = random(4);
        if (choice < 2) {
          const numbers = programs[random(3)];
          open.push({ numbers, given: numbers.next() });
        } else if (choice === 2 && open.length > 0) {
          const [{ numbers, given }] = open.splice(random(open.length), 1);
          if (random(5) > 0) {
            commit(given);
            expected.push(String(given.number));
          }
          numbers.settle([given]);
        } else seen.push(...(await read()));
      }
      seen.push(...(await read()));
      expect(seen.toSorted()).toEqual(expected.toSorted());
    }
  });
});

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
