import {
  Database,
  listen,
  DatabaseClock,
  type StoreClock,
  Repeat,
  systemTiming,
  type Timing,
} from '@app/persistence';
import { Injectable, Optional } from '@nestjs/common';
import { coalesce } from './coalesce';
import { accountsChannels } from '../channels';
import { RevocationCache } from './revocation-cache';
import { RevocationLog } from './revocation-log';
import { type Revocation, revocationChannel, RevocationsStore } from './revocations.store';

/** Polling intervals: SQLite has no notifications, and those of PostgreSQL may be lost. */
const POLL_MS = { sqlite: 200, postgres: 500 };

/** Entries are dated by the clock of the store, which may be set by so much, or before their transaction commits. */
const CLOCK_MARGIN_MS = 60_000;

/** What a feed needs beside the database. */
interface FeedPorts {
  readonly pollMs: number;
  readonly timing: Timing;
  /** The clock of the store. */
  readonly clock: Pick<StoreClock, 'wall'>;
  readonly listen: typeof listen;
}

/**
 * Fills the cache of revocations from the log: on a PostgreSQL notification and by polling several times a second. Uses a
 * separate handle, so that it does not wait for a connection under load.
 */
@Injectable()
export class RevocationFeed {
  private readonly db: Database;
  private readonly store: RevocationsStore;
  /** `undefined` before the first read, and after one that failed. */
  private log: RevocationLog | undefined;
  private readonly ports: FeedPorts;
  private readonly polls: Repeat;
  /** A notification during a read causes another read, since the current one may have started before it. */
  private readonly readAgain = coalesce(() => this.tryToRead());
  private reading: Promise<void> | undefined;
  private stopListening: () => Promise<void> = async () => {};

  constructor(
    db: Database,
    private readonly cache: RevocationCache,
    @Optional() ports: Partial<FeedPorts> = {},
  ) {
    this.db = db.openAnother();
    this.store = new RevocationsStore(this.db);
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

  private wake(): void {
    this.reading = this.readAgain();
  }

  private async tryToRead(): Promise<void> {
    try {
      await this.read();
    } catch {
      // The cache becomes stale, which its users check; the next poll retries.
      this.log = undefined;
    }
  }

  private async read(): Promise<void> {
    const startedAt = this.ports.timing.monotonic();
    this.log ??= await this.openLog();
    await this.log.read();
    this.cache.markCurrent(startedAt);
    if (accountsChannels.revocationsRead.hasSubscribers) accountsChannels.revocationsRead.publish(undefined);
  }

  /** After a failure as well: another server may respond, without the latest entries. */
  private async openLog(): Promise<RevocationLog> {
    const now = await this.ports.clock.wall(this.db);
    this.cache.forgetAll();
    const ports = {
      store: this.store,
      apply: (revocations: readonly Revocation[]) => this.cache.apply(revocations),
      pause: () => this.ports.timing.pause(0),
    };
    return RevocationLog.open(ports, new Date(now - this.cache.keepMs - CLOCK_MARGIN_MS));
  }
}
