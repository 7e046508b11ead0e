import { checkMigrations, listMigrations, type MigrationState } from './migration-history';
import { migrate } from './migrate';
import { type Database } from './database';

/** The arguments of the command; without any, it applies the pending migrations. */
export const migrateArguments = ['--list', '--check'] as const;

/**
 * Applies, lists or checks the migrations of a database, as the command line asks for.
 *
 * @returns what to print, line by line
 * @throws {TypeError} for any other argument
 * @throws {PendingMigrationsError} for `--check`, if the database lacks migrations
 */
export async function runMigrateCommand(
  db: Database,
  [argument, ...others]: readonly string[],
): Promise<readonly string[]> {
  if (others.length > 0) throw new TypeError(`give one of ${migrateArguments.join(', ')}, or nothing`);
  if (argument === undefined) return applied(db, await migrate(db));
  if (argument === '--list') return (await listMigrations(db)).map(line);
  if (argument !== '--check') throw new TypeError(`${argument} is not one of ${migrateArguments.join(', ')}`);
  await checkMigrations(db);
  return [`${db.place} has every migration`];
}

function applied(db: Database, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [`${db.place} has every migration`];
  return names.map((name) => `applied  ${name}`);
}

function line({ name, state, appliedAt }: MigrationState): string {
  const when = appliedAt?.toISOString() ?? '';
  return `${when.padEnd(24)}  ${name}${state === 'applied' ? '' : ` (${state})`}`;
}
