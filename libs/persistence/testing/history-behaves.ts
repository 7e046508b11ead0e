import { type ColumnMetadata, type TableMetadata } from 'kysely';
import { type Database, openDatabase } from '../src/database/database';
import { migrate } from '../src/migrations/migrate';
import { refuseNewer } from '../src/migrations/migration-history';
import { type MigrationHistory, runsSinceOf } from '../src/schema/migration';
import { temporaryDatabase, type TemporaryDatabase } from './temporary-database';

/**
 * What holds for every history: programs of the releases that its migrations allow run on the tables after them. For a spec, at
 * the level of a `describe`.
 *
 * @param before the histories that a program migrates before it
 */
export function historyBehaves(history: MigrationHistory, before: readonly MigrationHistory[] = []): void {
  const names = Object.keys(history.migrations);
  const oldest = (name: string) => runsSinceOf(history, name);
  const allowing = names.filter((name) => oldest(name) !== name);
  const until = (last: string | undefined): MigrationHistory => ({
    owner: history.owner,
    migrations: Object.fromEntries(
      Object.entries(history.migrations).slice(0, last === undefined ? 0 : names.indexOf(last) + 1),
    ),
  });

  describe(`the migrations of ${history.owner}`, () => {
    let database: TemporaryDatabase;
    let db: Database;
    beforeEach(async () => {
      database = await temporaryDatabase();
      db = openDatabase(database.url);
    });
    afterEach(async () => {
      await db.destroy();
      await database.remove();
    });

    it('are numbered, and name one that is not newer than themselves', () => {
      expect(names.toSorted()).toEqual(names);
      for (const [at, name] of names.entries()) {
        const since = oldest(name);
        if (since !== undefined) expect(names.slice(0, at + 1)).toContain(since);
      }
    });

    it.each(allowing)(
      'start every program that has the one which it names, however many follow: %s',
      (name) => {
        const applied = names
          .slice(0, names.indexOf(name) + 1)
          .map((one) => [one, { appliedAt: new Date(), runsSince: oldest(one) ?? null }] as const);
        const since = oldest(name);
        const allowed = since === undefined ? names.slice(0, 0) : names.slice(0, names.indexOf(since) + 1);
        const later = applied.filter(([one]) => !allowed.includes(one));
        expect(() => refuseNewer(new Map(later), until(since))).not.toThrow();
      },
    );

    it.each(allowing)(
      'keep what those read, and require nothing new of what they write: %s',
      async (name) => {
        await migrate(db, [...before, until(oldest(name))]);
        const tables = await db.introspection.getTables();
        await migrate(db, [...before, until(name)]);
        const after = await db.introspection.getTables();

        expect(tables.flatMap((table) => lostIn(table, after))).toEqual([]);
        expect(tables.flatMap((table) => requiredIn(table, after))).toEqual([]);
      },
    );
  });
}

/** The columns that are missing, or have another type. */
function lostIn({ name, columns }: TableMetadata, after: readonly TableMetadata[]): string[] {
  const now = columnsOf(name, after);
  return columns
    .filter(
      (column) => !now.some((other) => other.name === column.name && other.dataType === column.dataType),
    )
    .map((column) => `${name}.${column.name}`);
}

/** The new columns that an insert must name. */
export function requiredIn({ name, columns }: TableMetadata, after: readonly TableMetadata[]): string[] {
  return columnsOf(name, after)
    .filter((column) => !columns.some((other) => other.name === column.name))
    .filter(
      ({ isNullable, hasDefaultValue, isAutoIncrementing }) =>
        !isNullable && !hasDefaultValue && !isAutoIncrementing,
    )
    .map((column) => `${name}.${column.name}`);
}

function columnsOf(table: string, tables: readonly TableMetadata[]): readonly ColumnMetadata[] {
  return tables.find(({ name }) => name === table)?.columns ?? [];
}
