import { type Database, listen, type RevocationRow } from '@app/persistence';
import { accountsChannels } from '../channels';
import type { RevocationView } from './revocation-view';
import { pageRows, revocationChannel, RevocationsStore } from './revocations.store';
import type { AccountStateCache } from './account-state-cache';

/** Polling intervals: SQLite has no notifications, and those of PostgreSQL may be lost. */
const POLL_MS = { sqlite: 200, postgres: 500 };

/** Entries are dated by the clocks of all programs: this much older than what the view keeps is still read. */
const CLOCK_MARGIN_MS = 86_400_000;

/**
 * Updates the view of revocations from the log: on a PostgreSQL notification and by polling several times a second. Uses a
 * separate handle, so that it does not wait for a connection under load.
 */
export class RevocationFeed {
  private readonly db: Database;
  private readonly store: RevocationsStore;
  /** `undefined` before the first read. */
  private lastId: number | undefined;
  private timer: NodeJS.Timeout | undefined;
  private reading: Promise<void> | undefined;
  private isPending = false;
  private hasFailed = false;
  private stopListening: () => Promise<void> = async () => {};

  constructor(
    db: Database,
    private readonly view: RevocationView,
    private readonly accountStates: AccountStateCache,
    private readonly pollMs: number = POLL_MS[db.dialect],
  ) {
    this.db = db.openAnother();
    this.store = new RevocationsStore(this.db);
  }

  /** @throws StoreUnavailableError if the first read fails */
  async start(): Promise<void> {
    await this.read();
    this.stopListening = listen(this.db, revocationChannel, () => this.wake());
    this.timer = setInterval(() => this.wake(), this.pollMs);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.stopListening();
    await this.reading;
    await this.db.destroy();
  }

  /** A notification during a read causes another read, since the current one may have started before it. */
  private wake(): void {
    this.isPending = true;
    this.reading ??= this.catchUp().finally(() => (this.reading = undefined));
  }

  private async catchUp(): Promise<void> {
    while (this.isPending) {
      this.isPending = false;
      try {
        await this.read();
      } catch {
        // The view becomes stale, which its users check; the next poll tries again.
        this.hasFailed = true;
      }
    }
  }

  /** After a failure the log is read from the start: another server may answer, without the latest entries. */
  private async read(): Promise<void> {
    const startedAt = performance.now();
    let after = this.hasFailed ? undefined : this.lastId;
    after ??= await this.store.lastIdBefore(new Date(Date.now() - this.view.keepMs - CLOCK_MARGIN_MS));
    if (this.hasFailed) this.accountStates.clear();
    this.hasFailed = false;
    let rows: readonly RevocationRow[];
    do {
      rows = await this.store.readSince(after);
      this.view.apply(rows);
      after = rows.at(-1)?.id ?? after;
    } while (rows.length === pageRows);
    this.view.markCurrent(startedAt);
    if (accountsChannels.revocationsRead.hasSubscribers) accountsChannels.revocationsRead.publish(undefined);
    this.lastId = after;
  }
}
