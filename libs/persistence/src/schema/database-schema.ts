import { isOn, type TableDefinition } from './define-table';
import { type Migration, type MigrationHistory, type Migrations } from './migration';

/** The tables of a library or an application, and their migration history in name order. */
export class DatabaseSchema implements MigrationHistory {
  readonly owner: string;
  readonly tables: readonly TableDefinition[];
  readonly migrations: Migrations;

  /**
   * @param owner the library's or application's name, which the store remembers; a new name starts a new history
   * @throws {TypeError} if two migrations have the same name, or a name lacks a number
   */
  constructor(owner: string, tables: readonly TableDefinition[]) {
    const all = tables.flatMap((table) =>
      Object.entries(table.migrations ?? {}).map(([name, migration]): [string, Migration] => [
        name,
        on(table, migration),
      ]),
    );
    const names = all.map(([name]) => name).toSorted();
    for (const [at, name] of names.entries()) {
      if (!/^\d{4}-/.test(name))
        throw new TypeError(`the migration ${name} of ${owner} has no number, such as 0001-`);
      if (name === names[at + 1])
        throw new TypeError(`${owner} has two migrations ${name}: give one the next number`);
    }
    this.owner = owner;
    this.tables = tables;
    this.migrations = Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** Wraps a migration so that it changes nothing in a database that lacks its table. */
function on(table: TableDefinition, migration: Migration): Migration {
  if (table.dialect === undefined) return migration;
  const apply: Migration['apply'] = async (db, columns) => {
    if (isOn(table, columns.dialect)) await migration.apply(db, columns);
  };
  return { ...migration, apply };
}

/** The schemas that a program has and migrates. Owners referenced by later owners come first. The program provides this class. */
export class DatabaseSchemas {
  readonly all: readonly DatabaseSchema[];

  /** @throws {TypeError} if two owners have the same name */
  constructor(all: readonly DatabaseSchema[]) {
    const owners = all.map(({ owner }) => owner);
    const taken = owners.find((owner, at) => owners.indexOf(owner) < at);
    if (taken !== undefined)
      throw new TypeError(`an application cannot be called ${taken}: a library has tables under this name`);
    this.all = all;
  }

  get tables(): readonly TableDefinition[] {
    return this.all.flatMap(({ tables }) => tables);
  }
}
