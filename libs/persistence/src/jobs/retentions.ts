import { storeChannels } from '../channels';
import { type Database } from '../database/database';
import { isOneOf } from '../statements/json-rows';
import { statement } from '../statements/statement';
import { DatabaseClock, type StoreClock } from './database-clock';
import { type Job, type JobRun } from './job';

const HOUR = 3_600_000;
const STATE_EVERY_MS = HOUR;
/** The periods of a program that was stopped for longer do not count. */
const COUNTS_MS = 24 * HOUR;

/** The rows that are deleted after a retention period. */
export interface Retention {
  /** The rule name, which is the same in every program. */
  readonly name: string;
  readonly keepMs: number;
  /** Deletes about `limit` older rows, and returns their number: `limit` or more if there may be more. */
  readonly deleteOlder: (before: Date, limit: number) => Promise<number>;
}

/** Returns the {@link Job} parts that delete rows after their retention periods. */
export function deletesOld(db: Database, all: readonly Retention[]): Pick<Job, 'announce' | 'run'> {
  const retentions = new Retentions(db, all);
  return { announce: () => retentions.state(), run: (run) => retentions.apply(run) };
}

/**
 * A program's retention periods. A single program deletes rows for all programs on a store, although their settings may differ.
 * Each program therefore stores its periods, and the longest period stored within 24 hours applies.
 */
export class Retentions {
  private readonly db: Database;
  private readonly all: readonly Retention[];
  private readonly clock: StoreClock;
  private statedAt = -Infinity;

  constructor(db: Database, all: readonly Retention[], clock: StoreClock = new DatabaseClock(db)) {
    this.db = db;
    this.all = all;
    this.clock = clock;
  }

  /**
   * Stores this program's periods, at most once an hour.
   *
   * @throws StoreUnavailableError
   */
  async state(): Promise<void> {
    const startedAt = this.clock.monotonic();
    if (startedAt - this.statedAt < STATE_EVERY_MS) return;
    const now = await this.clock.wall(this.db);
    for (const { name: rule, keepMs } of this.all) {
      await removeEnded.execute(this.db, { rule, now: new Date(now) });
      await upsert.execute(this.db, { rule, keepMs, endsAt: new Date(now + COUNTS_MS) });
    }
    this.statedAt = startedAt;
  }

  /** Deletes the rows that are older than any program's longest period. */
  async apply({ inBatches }: Pick<JobRun, 'inBatches'>): Promise<void> {
    for (const { keepMs, deleteOlder } of await this.longest())
      await inBatches(async (limit) => {
        const deleted = await deleteOlder(new Date(Date.now() - keepMs), limit);
        if (storeChannels.rowsDeleted.hasSubscribers) storeChannels.rowsDeleted.publish(deleted);
        return deleted;
      });
  }

  /**
   * Returns the longest periods of all programs, at least this program's periods.
   *
   * @throws StoreUnavailableError
   */
  async longest(): Promise<Retention[]> {
    if (this.all.length === 0) return [];
    const names = this.all.map(({ name }) => name);
    const now = new Date(await this.clock.wall(this.db));
    const stated = await longestOf.all(this.db, { names, now });
    const periods = new Map(stated.map(({ rule, keepMs }) => [rule, keepMs]));
    return this.all.map((rule) => ({
      ...rule,
      keepMs: Math.max(rule.keepMs, periods.get(rule.name) ?? 0),
    }));
  }
}
interface Stated {
  readonly rule: string;
  readonly keepMs: number;
  readonly endsAt: Date;
}

const removeEnded = statement(({ rule, now }: { rule: string; now: Date }, db) =>
  db.deleteFrom('retention').where('rule', '=', rule).where('endsAt', '<=', now),
);

const upsert = statement(({ rule, keepMs, endsAt }: Stated, db) =>
  db
    .insertInto('retention')
    .values({ rule, keepMs, endsAt })
    .onConflict((conflict) => conflict.columns(['rule', 'keepMs']).doUpdateSet({ endsAt })),
);

const longestOf = statement(({ names, now }: { names: readonly string[]; now: Date }, db) =>
  db
    .selectFrom('retention')
    .select((retention) => ['rule', retention.fn.max('keepMs').as('keepMs')])
    .where((retention) => isOneOf(db, retention.ref('rule'), names))
    .where('endsAt', '>', now)
    .groupBy('rule'),
);
