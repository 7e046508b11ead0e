import type { LoggedRevocation, RevocationsStore } from './revocations.store';

/** Entries of a page; other work of the event loop runs between two pages. */
const PAGE_ENTRIES = 1_000;

/** Receives entries that were not read before. */
type Apply = (entries: readonly LoggedRevocation[]) => void;

/**
 * Reads the log of revocations, and goes on from there: what was committed meanwhile, in whatever order. It depends neither on
 * clocks nor on transaction ids, which not every database has.
 */
export class RevocationLog {
  private constructor(
    private readonly store: Pick<RevocationsStore, 'lastOfEach' | 'read'>,
    private readonly positions: Map<string, LogPosition>,
  ) {}

  /** @param since entries before it are left out; by the clock of the store */
  static async open(store: RevocationsStore, since: Date): Promise<RevocationLog> {
    // In this order: a program whose first entry comes in between is read from its start.
    const all = await store.lastOfEach();
    const recent = await store.firstOfEach(since);
    const positions = new Map(all.map(({ program, last }) => [program, new LogPosition(last + 1)]));
    for (const { program, from } of recent) positions.set(program, new LogPosition(from));
    return new RevocationLog(store, positions);
  }

  /** Reads what was committed since the last call, or since the log was opened. */
  async read(apply: Apply): Promise<void> {
    const all = await this.store.lastOfEach();
    const written = new Set(all.map(({ program }) => program));
    for (const program of this.positions.keys()) if (!written.has(program)) this.positions.delete(program);
    const incomplete = all.filter(({ program, last }) => !this.positionOf(program).isComplete(last));
    // At once: one after the other they would take a round trip each, which is too much between regions.
    await Promise.all(incomplete.map(({ program }) => this.readProgram(program, apply)));
  }

  private positionOf(program: string): LogPosition {
    const position = this.positions.get(program) ?? new LogPosition(1);
    this.positions.set(program, position);
    return position;
  }

  /** A page that is full of what was read before does not get on: the next one is larger. */
  private async readProgram(program: string, apply: Apply): Promise<void> {
    const position = this.positionOf(program);
    for (let limit = PAGE_ENTRIES; ;) {
      const { from } = position;
      const entries = await this.store.read({ program, from, limit });
      apply(position.advance(entries));
      if (entries.length < limit) return;
      if (position.from === from) limit *= 2;
    }
  }
}

/**
 * How far the entries of one program were read: those below {@link from} were read or are not committed any more, the others
 * may be.
 */
class LogPosition {
  /** What was read from {@link from} on. */
  private readonly read = new Set<number>();

  /** @param from the number to read from */
  constructor(public from: number) {}

  /** Whether all entries up to a number were read. */
  isComplete(last: number): boolean {
    return this.read.size > last - this.from;
  }

  /** Goes on by what one statement read from {@link from} on. Returns the entries that were not read before. */
  advance(entries: readonly LoggedRevocation[]): readonly LoggedRevocation[] {
    const unread = this.read.size === 0 ? entries : entries.filter(({ number }) => !this.read.has(number));
    for (const { settledBelow } of unread) this.from = Math.max(this.from, settledBelow);
    for (const number of this.read) if (number < this.from) this.read.delete(number);
    for (const { number } of unread) if (number >= this.from) this.read.add(number);
    return unread;
  }
}
