import {
  type Database,
  DatabaseClock,
  listen,
  Repeat,
  shareNext,
  statement,
  type StoreClock,
  systemTiming,
  type Timing,
} from '@app/persistence';
import type { NotNull } from 'kysely';
import { accountsChannels } from '../channels';
import type { RevocationCache } from './revocation-cache';
import type { RevocationRow } from './revocation.table';
import { revocationChannel } from './revocations';

/** The polling intervals. SQLite has no notifications, and PostgreSQL may lose a notification. */
const POLL_MS = { sqlite: 200, postgres: 500 };
/** The margin for entry times, because the store's clock may be set and entries are dated before they commit. */
const CLOCK_MARGIN_MS = 60_000;
/** The entries in a page, which take 5 to 10 ms. The event loop runs between pages, since this thread reads SQLite. */
const PAGE_ENTRIES = 10_000;

/** A feed's dependencies besides the database. */
interface FeedPorts {
  readonly pollMs: number;
  readonly timing: Timing;
  /** The store's clock. */
  readonly clock: Pick<StoreClock, 'wall'>;
  readonly listen: typeof listen;
}

/** The position up to which a program's entries were read. */
interface Position {
  /** Entries below it were read or are not committed any more. */
  from: number;
  /** The numbers that were read, starting at {@link from}. */
  readonly read: Set<number>;
}

/**
 * Fills the revocation cache from the log, on a PostgreSQL notification and by polling several times a second. It reads the
 * entries committed since its last read, in any order. It works without clocks or transaction ids, which only some databases
 * have.
 */
export class RevocationFeed {
  /** The positions by program; `undefined` before the first read and after a failed read. */
  private positions: Map<string, Position> | undefined;
  private readonly ports: FeedPorts;
  private readonly polls: Repeat;
  /** Reads once more if a notification arrives during a read, since that read may have started before the change. */
  private readonly readAgain = shareNext(() => this.tryToRead());
  private reading: Promise<void> | undefined;
  private stopListening: () => Promise<void> = async () => {};

  /** @param db a separate database handle, so that the feed need not wait for a connection under load; {@link stop} closes it */
  constructor(
    private readonly db: Database,
    private readonly cache: RevocationCache,
    ports: Partial<FeedPorts> = {},
  ) {
    this.ports = {
      pollMs: POLL_MS[db.dialect],
      timing: systemTiming,
      clock: new DatabaseClock(db),
      listen,
      ...ports,
    };
    this.polls = new Repeat(() => this.wake(), this.ports.pollMs, this.ports.timing);
  }

  /** @throws StoreUnavailableError if the first read fails */
  async start(): Promise<void> {
    await this.read();
    this.stopListening = this.ports.listen(this.db, revocationChannel, () => this.wake());
    this.polls.start();
  }

  async stop(): Promise<void> {
    await this.polls.stop();
    await this.stopListening();
    await this.reading;
    await this.db.destroy();
  }

  /** Reads the entries committed since the last read, or all entries that may still matter after a start or a failed read. */
  async read(): Promise<void> {
    const startedAt = this.ports.timing.monotonic();
    this.positions ??= await this.readRecent();
    await this.readUnread(this.positions);
    this.cache.markCurrent(startedAt);
    if (accountsChannels.revocationsRead.hasSubscribers) accountsChannels.revocationsRead.publish(undefined);
  }

  private wake(): void {
    this.reading = this.readAgain();
  }

  private async tryToRead(): Promise<void> {
    try {
      await this.read();
    } catch {
      // The cache becomes stale, which its users check; the next poll retries.
      this.positions = undefined;
    }
  }

  /** Reads all recent entries, also after a failure, because a different server that lags behind may respond. */
  private async readRecent(): Promise<Map<string, Position>> {
    const now = await this.ports.clock.wall(this.db);
    this.cache.forgetAll();
    // In this order: what was not settled yet is read by its number, and all that was is among the recent ones.
    const ends = await lastOfEach.all(this.db, {});
    for (let after = new Date(now - this.cache.keepMs - CLOCK_MARGIN_MS); ; await this.pause()) {
      const { lastAt } = await lastOfPage.one(this.db, { after, limit: PAGE_ENTRIES });
      if (lastAt === null) break;
      const entries = await entriesBetween.all(this.db, { after, last: lastAt });
      this.cache.apply(entries);
      if (entries.length < PAGE_ENTRIES) break;
      after = lastAt;
    }
    return new Map(
      ends.map(({ program, last, settledBelow }) => [program, { from: settledBelow, read: new Set([last]) }]),
    );
  }

  private async readUnread(positions: Map<string, Position>): Promise<void> {
    const ends = await lastOfEach.all(this.db, {});
    const programs = new Set(ends.map(({ program }) => program));
    for (const program of positions.keys()) if (!programs.has(program)) positions.delete(program);
    // At once: one after the other they would take a round trip each, which is too much between regions.
    await Promise.all(
      ends.map(async ({ program, last }) => {
        const position = positions.get(program) ?? { from: 1, read: new Set() };
        positions.set(program, position);
        if (position.read.size <= last - position.from) await this.readProgram(program, position);
      }),
    );
  }

  /** Reads a program's unread entries. If a page only has entries that were read before, the next page is larger. */
  private async readProgram(program: string, position: Position): Promise<void> {
    for (let limit = PAGE_ENTRIES; ; await this.pause()) {
      const { from } = position;
      const entries = await entriesFrom.all(this.db, { program, from, limit });
      this.cache.apply(advance(position, entries));
      if (entries.length < limit) return;
      if (position.from === from) limit *= 2;
    }
  }

  private pause(): Promise<void> {
    return this.ports.timing.pause(0);
  }
}

/** Advances a position by the entries that a statement read from there. Returns the entries that are new. */
function advance(position: Position, entries: readonly LoggedRevocation[]): readonly LoggedRevocation[] {
  const { read } = position;
  const unread = read.size === 0 ? entries : entries.filter(({ number }) => !read.has(number));
  for (const { settledBelow } of unread) position.from = Math.max(position.from, settledBelow);
  for (const number of read) if (number < position.from) read.delete(number);
  for (const { number } of unread) if (number >= position.from) read.add(number);
  return unread;
}

type LoggedRevocation = Pick<RevocationRow, 'number' | 'settledBelow' | 'kind' | 'subject'>;

/** Selects each program's last entry. It steps through the primary key, so its cost grows with programs, not entries. */
const lastOfEach = statement((_given: {}, db) =>
  db
    .withRecursive('writer(program)', (each) =>
      each
        .selectFrom('revocation')
        .select(({ fn }) => fn.min<string | null>('program').as('program'))
        .unionAll((next) =>
          next
            .selectFrom('writer')
            .where('writer.program', 'is not', null)
            .select((writer) =>
              writer
                .selectFrom('revocation')
                .whereRef('revocation.program', '>', 'writer.program')
                .select(({ fn }) => fn.min<string | null>('revocation.program').as('program'))
                .as('program'),
            ),
        ),
    )
    .selectFrom('writer')
    .where('writer.program', 'is not', null)
    .select((writer) => [
      'writer.program',
      writer
        .selectFrom('revocation')
        .whereRef('revocation.program', '=', 'writer.program')
        .select(({ fn }) => fn.max<number>('revocation.number').as('last'))
        .as('last'),
      writer
        .selectFrom('revocation')
        .whereRef('revocation.program', '=', 'writer.program')
        .select('revocation.settledBelow')
        .orderBy('revocation.number', 'desc')
        .limit(1)
        .as('settledBelow'),
    ])
    .$narrowType<{ program: NotNull; last: NotNull; settledBelow: NotNull }>(),
);

/** Selects the time of a page's last entry, from the time index alone. */
const lastOfPage = statement(({ after, limit }: { after: Date; limit: number }, db) => {
  const page = db
    .selectFrom('revocation')
    .select('createdAt')
    .where('createdAt', '>', after)
    .orderBy('createdAt')
    .limit(limit);
  return db.selectFrom(page.as('page')).select(({ fn }) => fn.max<Date | null>('createdAt').as('lastAt'));
});

const entriesBetween = statement(({ after, last }: { after: Date; last: Date }, db) =>
  db
    .selectFrom('revocation')
    .select(['kind', 'subject'])
    .where('createdAt', '>', after)
    .where('createdAt', '<=', last)
    .orderBy('createdAt'),
);

const entriesFrom = statement(
  ({ program, from, limit }: { program: string; from: number; limit: number }, db) =>
    db
      .selectFrom('revocation')
      .select(['number', 'settledBelow', 'kind', 'subject'])
      .where('program', '=', program)
      .where('number', '>=', from)
      .orderBy('number')
      .limit(limit),
);
