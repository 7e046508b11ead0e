import type { AccessTokens } from '@app/auth';
import { type Database, statement, StoreUnavailableError } from '@app/persistence';
import { Repeat } from '@app/timers';
import { sql } from 'kysely';
import type { DatabaseClock } from './database-clock';

const RAISE_EVERY_MS = 30_000;
const ONLY = 1;

/**
 * The high-water mark of the database clock, stored in the database: so that a program that is started after the
 * system clock was set back, or on a machine whose clock is behind, knows that tokens are older than they appear.
 *
 * It is raised by the database clock alone: a machine whose clock is ahead must not make others reject tokens.
 */
export class ClockHighWaterMark {
  private readonly raises = new Repeat(() => this.raise(), RAISE_EVERY_MS);

  /** @param onFailure called if it cannot be raised, unless the store is unavailable, which is logged elsewhere */
  constructor(
    private readonly db: Database,
    private readonly clock: Pick<DatabaseClock, 'sources'>,
    private readonly tokens: Pick<AccessTokens, 'setHighWaterMark'>,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** @throws StoreUnavailableError if it cannot be read */
  async start(): Promise<void> {
    const row = await latest.first(this.db, { id: ONLY });
    if (row) this.tokens.setHighWaterMark(row.reachedAt.getTime());
    void this.raises.startNow();
  }

  async stop(): Promise<void> {
    await this.raises.stop();
  }

  /** The last time stays if it fails: an error of a timer would end the program. */
  private async raise(): Promise<void> {
    try {
      const reachedAt = new Date(await this.clock.sources.wall(this.db));
      await raiseTo.execute(this.db, { id: ONLY, reachedAt });
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) this.onFailure(error);
    }
  }
}

const latest = statement(({ id }: { id: number }, db) =>
  db.selectFrom('clockHighWaterMark').select('reachedAt').where('id', '=', id),
);

const raiseTo = statement(({ id, reachedAt }: { id: number; reachedAt: Date }, db) =>
  db
    .insertInto('clockHighWaterMark')
    .values({ id, reachedAt })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ reachedAt })
        .where('clockHighWaterMark.reachedAt', '<', sql<Date>`excluded.reached_at`),
    ),
);
