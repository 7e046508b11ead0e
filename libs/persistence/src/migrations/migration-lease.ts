import { randomUUID } from 'node:crypto';
import { Repeat } from '@app/timers';
import { sql } from 'kysely';
import { type Database } from '../database/database';

/** After the last renewal; then another program migrates. */
const LEASE_SECONDS = 15;
const RENEW_EVERY_MS = 5_000;

/** The table of the lease, which has one row. */
export const leaseTable = 'migration_lease';

const endsAt = sql`now() + make_interval(secs => ${sql.lit(LEASE_SECONDS)})`;

/**
 * Which program migrates a PostgreSQL database: a row, by the clock of the server. It saves other programs the wait for locks of tables; what
 * excludes that a migration is applied twice is the primary key of the row that lists it, in the same transaction. Unlike an
 * advisory lock it holds on engines that have none, and through a pooler.
 */
export class MigrationLease {
  private readonly holder = randomUUID();
  private readonly db: Database;
  private readonly renewals: Repeat;

  /** @param db of which a connection is free while the program migrates */
  constructor(db: Database) {
    this.db = db;
    // One that fails is repeated; after three the lease expires.
    this.renewals = new Repeat(() => this.renew().catch(() => undefined), RENEW_EVERY_MS);
  }

  /** Takes the lease, and renews it from then on; `false` if another program has it. */
  async take(): Promise<boolean> {
    const { numAffectedRows = 0n } = await sql`
      insert into migration_lease (id, holder, ends_at) values (1, ${this.holder}, ${endsAt})
      on conflict (id) do update set holder = excluded.holder, ends_at = excluded.ends_at
      where migration_lease.ends_at < now()`.execute(this.db);
    if (numAffectedRows === 0n) return false;
    this.renewals.start();
    return true;
  }

  /** Lets others take it. Without the server it expires. */
  async release(): Promise<void> {
    await this.renewals.stop();
    const released = sql`delete from migration_lease where holder = ${this.holder}`.execute(this.db);
    await released.catch(() => undefined);
  }

  private async renew(): Promise<void> {
    await sql`update migration_lease set ends_at = ${endsAt} where holder = ${this.holder}`.execute(this.db);
  }
}
