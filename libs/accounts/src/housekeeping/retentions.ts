import { type Database, isOneOf, statement } from '@app/persistence';
import { DatabaseClock, type StoreClock } from '../clock/database-clock';

const HOUR = 3_600_000;
const STATE_EVERY_MS = HOUR;
/** The periods of a program that was stopped for longer do not count. */
const COUNTS_MS = 24 * HOUR;

/** Rows that are deleted after a retention period. */
export interface RetentionRule {
  /** The same in every program. */
  readonly name: string;
  readonly keepMs: number;
  /** Deletes about `limit` older rows, and returns their number: `limit` or more if there may be more. */
  readonly deleteOlder: (before: Date, limit: number) => Promise<number>;
}

/**
 * The retention rules of a program. One program deletes for all on a store, and their settings may differ: each program
 * states its periods in the store, and the longest that was stated within 24 hours applies.
 */
export class Retentions {
  private statedAt = -Infinity;

  constructor(
    private readonly db: Database,
    private readonly rules: readonly RetentionRule[],
    private readonly clock: StoreClock = new DatabaseClock(db),
  ) {}

  /**
   * States the periods of this program, at most once an hour.
   *
   * @throws StoreUnavailableError
   */
  async state(): Promise<void> {
    const startedAt = this.clock.monotonic();
    if (startedAt - this.statedAt < STATE_EVERY_MS) return;
    const now = await this.clock.wall(this.db);
    for (const { name: rule, keepMs } of this.rules) {
      await removeEnded.execute(this.db, { rule, now: new Date(now) });
      await upsert.execute(this.db, { rule, keepMs, endsAt: new Date(now + COUNTS_MS) });
    }
    this.statedAt = startedAt;
  }

  /**
   * The rules with the longest periods of all programs, at least those of this one.
   *
   * @throws StoreUnavailableError
   */
  async longest(): Promise<RetentionRule[]> {
    if (this.rules.length === 0) return [];
    const names = this.rules.map(({ name }) => name);
    const now = new Date(await this.clock.wall(this.db));
    const stated = await longestOf.all(this.db, { names, now });
    const periods = new Map(stated.map(({ rule, keepMs }) => [rule, keepMs]));
    return this.rules.map((rule) => ({
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
