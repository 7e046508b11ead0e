import { type ColumnMetadata, type TableMetadata } from 'kysely';
import { type Database, openDatabase } from '../src/database/database';
import { defaultIds } from '../src/dialects/ids/default-ids';
import { migrate } from '../src/migrations/migrate';
import { refuseNewer } from '../src/migrations/stored-migrations';
import { type MigrationHistory, runsSinceOf } from '../src/schema/migration';
import { type DatabaseSchema } from '../src/schema/database-schema';
import { useMigratedDatabase } from './migrated-database';
import { schemaText } from './schema-text';
import { expectNoFaults, type Fault, placeOfTable } from './faults';
import { temporaryDatabase, type TemporaryDatabase } from './temporary-database';

/**
 * Declares the tests that every history must pass: programs from the releases that its migrations allow run on the new tables.
 * Call it in a spec, at the level of a `describe`.
 *
 * @param before the histories that a program migrates before it
 */
export function historyBehaves(history: MigrationHistory, before: readonly MigrationHistory[] = []): void {
  const names = Object.keys(history.migrations);
  const oldest = (name: string) => runsSinceOf(history, name);
  const upTo = (last: string | undefined) =>
    last === undefined ? [] : names.slice(0, names.indexOf(last) + 1);
  const until = (last: string | undefined): MigrationHistory => ({
    owner: history.owner,
    migrations: Object.fromEntries(upTo(last).map((name) => [name, history.migrations[name]])),
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
      for (const name of names) expect([undefined, ...upTo(name)]).toContain(oldest(name));
    });

    it('start every program that has the one which they name, however many follow', () => {
      for (const name of names) {
        const since = oldest(name);
        const later = upTo(name)
          .filter((migration) => !upTo(since).includes(migration))
          .map(
            (migration) =>
              [migration, { appliedAt: new Date(), runsSince: oldest(migration) ?? null }] as const,
          );
        expect(() => refuseNewer(new Map(later), until(since))).not.toThrow();
      }
    });

    it('keep what those read, and require nothing new of what they write', async () => {
      await migrate(db, before);
      const tables = new Map([[undefined as string | undefined, await db.introspection.getTables()]]);
      for (const name of names) {
        await migrate(db, [...before, until(name)]);
        const after = await db.introspection.getTables();
        const read = tables.set(name, after).get(oldest(name)) ?? [];
        expectNoFaults([
          ...read.flatMap((table) => lostIn(table, after)).map((column) => lost(column, name)),
          ...read.flatMap((table) => requiredIn(table, after)).map((column) => required(column, name)),
        ]);
      }
    });
  });
}

/** Declares the tests for a library's tables: their history behaves, and its migrations create the reviewed schema. */
export function schemaBehaves(schema: DatabaseSchema, before: readonly MigrationHistory[] = []): void {
  historyBehaves(schema, before);

  describe(`the schema of ${schema.owner}`, () => {
    const store = useMigratedDatabase([...before, schema]);

    it.runIf(defaultIds === 'sequence')('is the one that was reviewed', async () => {
      await expect(await schemaText(store.db, schema.tables)).toMatchFileSnapshot(
        `schema.${store.db.dialect}.txt`,
      );
    });
  });
}

function lost(subject: string, migration: string): Fault {
  return {
    subject,
    problem: `the migration ${migration} removes it or changes its type, and programs of the release before use it`,
    remedy: `Remove it one release later, or name the migration since which no program uses it: runsSince`,
    at: placeIn(subject),
  };
}

function required(subject: string, migration: string): Fault {
  return {
    subject,
    problem: `the migration ${migration} adds it, and programs of the release before insert rows without it`,
    remedy: 'Give the column a default, or let it be null',
    at: placeIn(subject),
  };
}

/** @param column of the database, such as `note_line.page_count` */
function placeIn(column: string): Fault['at'] {
  const [table = '', member] = column
    .replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    .split('.');
  return placeOfTable(table, member);
}

/** Returns the columns that are missing or have a different type. */
function lostIn({ name, columns }: TableMetadata, after: readonly TableMetadata[]): string[] {
  const now = columnsOf(name, after);
  return columns
    .filter(
      (column) =>
        !now.some((current) => current.name === column.name && current.dataType === column.dataType),
    )
    .map((column) => `${name}.${column.name}`);
}

/** The new columns that an insert must name. */
export function requiredIn({ name, columns }: TableMetadata, after: readonly TableMetadata[]): string[] {
  return columnsOf(name, after)
    .filter((column) => !columns.some((former) => former.name === column.name))
    .filter(
      ({ isNullable, hasDefaultValue, isAutoIncrementing }) =>
        !isNullable && !hasDefaultValue && !isAutoIncrementing,
    )
    .map((column) => `${name}.${column.name}`);
}

function columnsOf(table: string, tables: readonly TableMetadata[]): readonly ColumnMetadata[] {
  return tables.find(({ name }) => name === table)?.columns ?? [];
}
