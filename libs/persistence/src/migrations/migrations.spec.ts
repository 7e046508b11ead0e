import { type ColumnMetadata, sql, type TableMetadata } from 'kysely';
import { temporaryDatabase, type TemporaryDatabase } from '../../testing/temporary-database';
import { type Database, openDatabase } from '../database';
import { migrate } from '../migrate';
import { type Migrations } from './migration';
import { migrations } from './migrations';

const names = Object.keys(migrations);
const allowing = Object.entries(migrations).filter(([name, { runsSince }]) => runsSince !== name);

describe('the migrations', () => {
  it('are numbered, and name one that is not newer than themselves', () => {
    expect(names.toSorted()).toEqual(names);
    for (const [name, { runsSince }] of Object.entries(migrations)) {
      expect(names).toContain(runsSince);
      expect(names.indexOf(runsSince)).toBeLessThanOrEqual(names.indexOf(name));
    }
  });
});

describe('migrations that allow older programs', () => {
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

  it('may add a required column that has a default', async () => {
    await sql`create table note (lines integer not null, pages integer not null default 1)`.execute(db);
    const [note] = await db.introspection.getTables();
    expect(requiredIn({ ...note, columns: [] }, [note])).toEqual(['note.lines']);
  });

  it.each(allowing)(
    'keep what those read, and require nothing new of what they write: %s',
    async (name, { runsSince }) => {
      await migrate(db, until(runsSince));
      const before = await db.introspection.getTables();
      await migrate(db, until(name));
      const after = await db.introspection.getTables();

      expect(before.flatMap((table) => lostIn(table, after))).toEqual([]);
      expect(before.flatMap((table) => requiredIn(table, after))).toEqual([]);
    },
  );
});

function until(last: string): Migrations {
  return Object.fromEntries(Object.entries(migrations).slice(0, names.indexOf(last) + 1));
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
function requiredIn({ name, columns }: TableMetadata, after: readonly TableMetadata[]): string[] {
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
