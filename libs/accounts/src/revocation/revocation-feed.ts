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

/** Polling intervals: SQLite has no notifications, and those of PostgreSQL may be lost. */
const POLL_MS = { sqlite: 200, postgres: 500 };
/** Entries are dated by the clock of the store, which may be set by so much, or before their transaction commits. */
const CLOCK_MARGIN_MS = 60_000;
/** Entries of a page: 5 to 10 ms. Other work of the event loop runs between two pages, since SQLite is read in this thread. */
const PAGE_ENTRIES = 10_000;

/** What a feed needs beside the database. */
interface FeedPorts {
  readonly pollMs: number;
  readonly timing: Timing;
  /** The clock of the store. */
  readonly clock: Pick<StoreClock, 'wall'>;
  readonly listen: typeof listen;
}

/** How far the entries of one program were read. */
interface Position {
  /** Entries below it were read or are not committed any more. */
  from: number;
  /** What was read from {@link from} on. */
  readonly read: Set<number>;
}

/**
 * Fills the cache of revocations from the log: on a PostgreSQL notification and by polling several times a second. It reads what was
 * committed since its last read, in whatever order, and depends neither on clocks nor on transaction ids, which not every database has.
 */
export class RevocationFeed {
  /** By program; `undefined` before the first read, and after a read that failed. */
  private positions: Map<string, Position> | undefined;
  private readonly ports: FeedPorts;
  private readonly polls: Repeat;
  /** A notification during a read causes another read, since the current one may have started before it. */
  private readonly readAgain = shareNext(() => this.tryToRead());
  private reading: Promise<void> | undefined;
  private stopListening: () => Promise<void> = async () => {};

  /** @param db a handle of the feed alone, so that it does not wait for a connection under load; {@link stop} closes it */
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

  /** Reads what was committed since the last read; at first, and after a failed read, all that may still matter. */
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

  /** After a failure as well: another server may respond, without the latest entries. */
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

  /** A page that is full of what was read before does not get on: the next one is larger. */
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

/** Advances a position by the entries that one statement read from it on. Returns the entries that were not read before. */
function advance(position: Position, entries: readonly LoggedRevocation[]): readonly LoggedRevocation[] {
  const { read } = position;
  const unread = read.size === 0 ? entries : entries.filter(({ number }) => !read.has(number));
  for (const { settledBelow } of unread) position.from = Math.max(position.from, settledBelow);
  for (const number of read) if (number < position.from) read.delete(number);
  for (const { number } of unread) if (number >= position.from) read.add(number);
  return unread;
}

type LoggedRevocation = Pick<RevocationRow, 'number' | 'settledBelow' | 'kind' | 'subject'>;

/**
 * The last entry of each program. Goes from program to program by the primary key, so that its cost is that of the programs and not of their
 * entries.
 */
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

/** The time of the last entry of a page, by the index of times alone. */
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
