import type { LoggedRevocation, LogEnd, Revocation, RevocationsStore } from './revocations.store';

/** Entries of a page: 5 to 10 ms. */
const PAGE_ENTRIES = 10_000;

/** What a log needs. */
interface LogPorts {
  readonly store: Pick<RevocationsStore, 'lastOfEach' | 'readAfter' | 'read'>;
  /** Receives each entry, some of them twice. */
  readonly apply: (entries: readonly Revocation[]) => void;
  /** Other work of the event loop runs between two pages: SQLite is read in this thread. */
  readonly pause: () => Promise<void>;
}

/**
 * Reads the log of revocations, and goes on from there: what was committed meanwhile, in whatever order. It depends neither on
 * clocks nor on transaction ids, which not every database has.
 */
export class RevocationLog {
  private constructor(
    private readonly ports: LogPorts,
    private readonly positions: Map<string, LogPosition>,
  ) {}

  /**
   * Reads all pages of the recent entries.
   *
   * @param since entries before it are left out; by the clock of the store
   */
  static async open(ports: LogPorts, since: Date): Promise<RevocationLog> {
    // In this order: what was not settled yet is read by its number, and all that was is among the recent ones.
    const ends = await ports.store.lastOfEach();
    for (let after = since; ; await ports.pause()) {
      const { entries, last } = await ports.store.readAfter(after, PAGE_ENTRIES);
      ports.apply(entries);
      if (entries.length < PAGE_ENTRIES) break;
      after = last;
    }
    return new RevocationLog(ports, new Map(ends.map((end) => [end.program, LogPosition.at(end)])));
  }

  /** Reads what was committed since the last call, or since the log was opened. */
  async read(): Promise<void> {
    const all = await this.ports.store.lastOfEach();
    const written = new Set(all.map(({ program }) => program));
    for (const program of this.positions.keys()) if (!written.has(program)) this.positions.delete(program);
    const incomplete = all.filter(({ program, last }) => !this.positionOf(program).isComplete(last));
    // At once: one after the other they would take a round trip each, which is too much between regions.
    await Promise.all(incomplete.map(({ program }) => this.readProgram(program)));
  }

  private positionOf(program: string): LogPosition {
    const position = this.positions.get(program) ?? new LogPosition(1);
    this.positions.set(program, position);
    return position;
  }

  /** A page that is full of what was read before does not get on: the next one is larger. */
  private async readProgram(program: string): Promise<void> {
    const position = this.positionOf(program);
    for (let limit = PAGE_ENTRIES; ; await this.ports.pause()) {
      const { from } = position;
      const entries = await this.ports.store.read({ program, from, limit });
      this.ports.apply(position.advance(entries));
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

  /** Behind the last entry, which was read, and all that were settled when it was written. */
  static at({ last, settledBelow }: LogEnd): LogPosition {
    const position = new LogPosition(settledBelow);
    position.read.add(last);
    return position;
  }

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
