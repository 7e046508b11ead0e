import type { AccessTokens } from '@app/auth';
import { type Database, statement, StoreUnavailableError } from '@app/persistence';
import { sql } from 'kysely';
import type { StoreClock } from './sessions/store-clock';

const RAISE_EVERY_MS = 30_000;
const ONLY = 1;

/**
 * The latest time that the clock of the store has reached, kept in the store: so that a program that is started after the
 * system clock was set back, or on a machine whose clock is behind, knows that tokens are older than they appear.
 *
 * It is raised by the clock of the store alone: a machine whose clock is ahead must not make others reject tokens.
 */
export class TimeFloor {
  private timer: NodeJS.Timeout | undefined;
  private raising: Promise<void> | undefined;

  constructor(
    private readonly db: Database,
    private readonly clock: Pick<StoreClock, 'sources'>,
    private readonly tokens: Pick<AccessTokens, 'setFloor'>,
  ) {}

  /** @throws StoreUnavailableError if it cannot be read */
  async start(): Promise<void> {
    const row = await latest.first(this.db, { id: ONLY });
    if (row) this.tokens.setFloor(row.reachedAt.getTime());
    this.raise();
    this.timer = setInterval(() => this.raise(), RAISE_EVERY_MS);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.raising;
  }

  private raise(): void {
    this.raising ??= this.write().finally(() => (this.raising = undefined));
  }

  /** While the store takes no writes, the last time stays; that is logged elsewhere. */
  private async write(): Promise<void> {
    try {
      const reachedAt = new Date(await this.clock.sources.wall(this.db));
      await raise.execute(this.db, { id: ONLY, reachedAt });
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
    }
  }
}

const latest = statement(({ id }: { id: number }, db) =>
  db.selectFrom('timeFloor').select('reachedAt').where('id', '=', id),
);

const raise = statement(({ id, reachedAt }: { id: number; reachedAt: Date }, db) =>
  db
    .insertInto('timeFloor')
    .values({ id, reachedAt })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ reachedAt })
        .where('timeFloor.reachedAt', '<', sql<Date>`excluded.reached_at`),
    ),
);
