import { type Database } from '../database/database';
import { type MigrationHistory } from '../schema/migration';
import { checkMigrations, listMigrations, type MigrationState } from './migration-history';
import { migrate } from './migrate';

/** The command arguments. Without arguments, the command applies the pending migrations. */
export const migrateArguments = ['--list', '--check'] as const;

/**
 * Applies, lists or checks a database's migrations, depending on the arguments.
 *
 * @returns the lines to print
 * @throws {TypeError} for any other argument
 * @throws {PendingMigrationsError} for `--check`, if the database lacks migrations
 */
export async function runMigrateCommand(
  db: Database,
  [argument, ...others]: readonly string[],
  histories: readonly MigrationHistory[],
): Promise<readonly string[]> {
  if (others.length > 0) throw new TypeError(`give one of ${migrateArguments.join(', ')}, or nothing`);
  if (argument === undefined) return applied(db, await migrate(db, histories));
  if (argument === '--list') return (await listMigrations(db, histories)).map(line);
  if (argument !== '--check') throw new TypeError(`${argument} is not one of ${migrateArguments.join(', ')}`);
  await checkMigrations(db, histories);
  return [`${db.place} has every migration`];
}

function applied(db: Database, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [`${db.place} has every migration`];
  return names.map((name) => `applied  ${name}`);
}

function line({ name, state, appliedAt, isExclusive = false, tookMs }: MigrationState): string {
  const notes = [
    ...(state === 'applied' ? [] : [state]),
    ...(tookMs === undefined ? [] : [`${(tookMs / 1000).toFixed(1)} s on a million rows`]),
    ...(isExclusive ? ['stop running programs first'] : []),
  ];
  const when = appliedAt?.toISOString() ?? '';
  return `${when.padEnd(24)}  ${name}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`;
}
