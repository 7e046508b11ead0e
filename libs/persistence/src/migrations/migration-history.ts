import { type Database } from '../database/database';
import { PendingMigrationsError, UnreleasedDatabaseError } from '../errors';
import { type MigrationHistory, runsSinceOf } from '../schema/migration';
import { checkTables } from './check-tables';
import { policyChanges } from './row-policies';
import { type Applied, type AppliedByOwner, checkApplied, nameOf, storedIn } from './stored-migrations';

/** A migration, and whether the database has it. */
export interface MigrationState {
  /** The migration name, such as `api/0003-tasks`. */
  readonly name: string;
  readonly state: 'applied' | 'pending' | 'of a newer release' | 'of another program';
  readonly appliedAt?: Date;
  /** Whether programs that run on the database now cannot run after a pending migration. */
  readonly isExclusive?: boolean;
  /** The expected duration of a pending migration on this database, see {@link Migration}; `undefined` if it was not measured. */
  readonly tookMs?: number;
}

/** Lists all migrations, including migrations by newer releases and other programs, and leaves the database unchanged. */
export async function listMigrations(
  db: Database,
  histories: readonly MigrationHistory[],
): Promise<readonly MigrationState[]> {
  const applied = await readApplied(db);
  const names = histories.flatMap((history) =>
    statesOf(history, applied.get(history.owner) ?? new Map(), db.dialect),
  );
  const others = [...applied].filter(([owner]) => !histories.some((history) => history.owner === owner));
  return [...names, ...others.flatMap(([owner, own]) => listed(owner, own, 'of another program'))];
}

function statesOf(
  history: MigrationHistory,
  applied: Applied,
  dialect: Database['dialect'],
): readonly MigrationState[] {
  const { owner, migrations } = history;
  const unknown = [...applied].filter(([name]) => !(name in migrations));
  const isExclusive = (runsSince: string | undefined) =>
    applied.size > 0 && runsSince !== undefined && !applied.has(runsSince);
  const states = Object.keys(migrations).map((migration): MigrationState => {
    const name = nameOf(owner, migration);
    const appliedAt = applied.get(migration)?.appliedAt;
    if (appliedAt !== undefined) return { name, state: 'applied', appliedAt };
    const tookMs = migrations[migration].tookMs?.[dialect];
    return { name, state: 'pending', isExclusive: isExclusive(runsSinceOf(history, migration)), tookMs };
  });
  return [...states, ...listed(owner, new Map(unknown), 'of a newer release')];
}

function listed(owner: string, applied: Applied, state: MigrationState['state']): readonly MigrationState[] {
  return [...applied].map(([name, { appliedAt }]) => ({ name: nameOf(owner, name), state, appliedAt }));
}

/**
 * Checks that a database has all migrations and tables of the given histories. Changes nothing.
 *
 * @throws {PendingMigrationsError} with the missing migrations
 * @throws {SchemaDriftError} as {@link checkTables} does
 * @throws {NewerDatabaseError | UnreleasedDatabaseError} as {@link checkApplied} does
 */
export async function checkMigrations(db: Database, histories: readonly MigrationHistory[]): Promise<void> {
  const applied = await readApplied(db);
  checkApplied(applied, histories);
  const pending = histories.flatMap(({ owner, migrations }) =>
    Object.keys(migrations)
      .filter((name) => !applied.get(owner)?.has(name))
      .map((name) => nameOf(owner, name)),
  );
  const policies = await policyChanges(db, histories, db.connecting.rowPolicies === 'by statement');
  pending.push(...policies.map(({ name }) => name));
  if (pending.length > 0) throw new PendingMigrationsError(pending);
  await checkTables(db, histories);
}

/** @throws {UnreleasedDatabaseError} if its migrations have no owner */
async function readApplied(db: Database): Promise<AppliedByOwner> {
  const handle = db.forMigrations();
  try {
    const { applied } = await storedIn(handle);
    if (applied.has('')) throw new UnreleasedDatabaseError();
    return applied;
  } finally {
    await handle.destroy();
  }
}
