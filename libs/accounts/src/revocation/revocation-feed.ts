import { type Database, listen } from '@app/persistence';
import type { RevocationView } from './revocation-view';
import { revocationChannel, RevocationsStore } from './revocations.store';
import type { AccountStateCache } from './account-state-cache';

/** How often the log is looked at unasked, in milliseconds: SQLite tells nobody of anything, PostgreSQL may be cut off. */
const POLL_MS = { sqlite: 200, postgres: 500 };

/**
 * Feeds a program's view from the log: at once when PostgreSQL says that there is news, and several times a second
 * anyway. On a handle of its own, so that no flood of requests keeps it waiting.
 */
export class RevocationFeed {
  private readonly db: Database;
  private readonly store: RevocationsStore;
  private lastId = 0;
  private timer: NodeJS.Timeout | undefined;
  private reading: Promise<void> | undefined;
  private isBehind = false;
  private isCutOff = false;
  private stopListening: () => Promise<void> = async () => {};

  /** @param pollMs how often to look unasked */
  constructor(
    db: Database,
    private readonly view: RevocationView,
    private readonly accountStates: AccountStateCache,
    private readonly pollMs: number = POLL_MS[db.dialect],
  ) {
    this.db = db.openAnother();
    this.store = new RevocationsStore(this.db);
  }

  /** @throws StoreUnavailableError when the log cannot be read even once */
  async start(): Promise<void> {
    await this.readOn();
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

  /** News that come while the log is being read make it be read once more: the reading may have begun before them. */
  private wake(): void {
    this.isBehind = true;
    this.reading ??= this.catchUp().finally(() => (this.reading = undefined));
  }

  private async catchUp(): Promise<void> {
    while (this.isBehind) {
      this.isBehind = false;
      try {
        await this.readOn();
      } catch {
        // Whoever asks the view is told how long it has not been fed; the next poll tries again.
        this.isCutOff = true;
      }
    }
  }

  /** After a failure everything is read anew: what the log said meanwhile may have been swept, or another server answer. */
  private async readOn(): Promise<void> {
    const startedAt = performance.now();
    const rows = await this.store.readSince(this.isCutOff ? 0 : this.lastId);
    if (this.isCutOff) this.accountStates.clear();
    this.isCutOff = false;
    this.view.apply(rows);
    this.view.fed(startedAt);
    this.lastId = rows.at(-1)?.id ?? this.lastId;
  }
}
