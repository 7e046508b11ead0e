import { type TableDefinition } from './define-table';
import { type MigrationHistory, type Migrations } from './migration';

/** The owner of the tables that every application has. */
export const frameworkOwner = 'framework';

/** The tables of an application, and the history of their migrations, in the order of their names. */
export class ApplicationSchema implements MigrationHistory {
  readonly owner: string;
  readonly tables: readonly TableDefinition[];
  readonly migrations: Migrations;

  /**
   * @param owner the name of the application, which its store remembers: another name is another history
   * @throws {TypeError} if two migrations have one name, or one has no number
   */
  constructor(owner: string, tables: readonly TableDefinition[]) {
    if (owner === frameworkOwner) throw new TypeError(`an application cannot be called ${frameworkOwner}`);
    const all = tables.flatMap(({ migrations = {} }) => Object.entries(migrations));
    const names = all.map(([name]) => name).toSorted();
    for (const [at, name] of names.entries()) {
      if (!/^\d{4}-/.test(name))
        throw new TypeError(`the migration ${name} of ${owner} has no number, such as 0001-`);
      if (name === names[at + 1])
        throw new TypeError(`${owner} has two migrations ${name}: give one the next number`);
    }
    this.owner = owner;
    this.tables = tables;
    this.migrations = Object.fromEntries(all.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }
}
