import {
  type ColumnBuilderCallback,
  type CreateTableBuilder,
  type Expression,
  type QueryExecutorProvider,
  type SchemaModule,
  sql,
} from 'kysely';

/** What a migration works on: the schema, and SQL. Not the tables' types, which are today's and not those of its day. */
export interface MigrationContext extends QueryExecutorProvider {
  readonly schema: SchemaModule;
}

/** The few places where the two stores want different words; a migration is written once, in these. */
export interface Columns {
  /** A whole number that JavaScript can hold; also what refers to an id. */
  readonly whole: Expression<unknown>;
  /** A `Date`: whole milliseconds. */
  readonly moment: Expression<unknown>;
  readonly text: Expression<unknown>;
  /** Yes or no: a boolean, in a column called `is_…`. */
  readonly flag: Expression<unknown>;
  /** Numbered by the store, and never again with a number that was used. */
  readonly id: ColumnBuilderCallback;
  /** The moment at which the row is written. */
  readonly now: Expression<unknown>;
  /** Has the store refuse a value of another type than the column's. */
  readonly strictTypes: <T extends string>(table: CreateTableBuilder<T>) => CreateTableBuilder<T>;
}

const sqlite: Columns = {
  whole: sql`integer`,
  moment: sql`integer`,
  text: sql`text`,
  flag: sql`integer`,
  id: (column) => column.primaryKey().autoIncrement(),
  now: sql`(cast(round(unixepoch('subsec') * 1000) as integer))`,
  strictTypes: (table) => table.modifyEnd(sql`strict`),
};

const postgres: Columns = {
  whole: sql`bigint`,
  moment: sql`timestamptz(3)`,
  text: sql`text`,
  flag: sql`boolean`,
  id: (column) => column.primaryKey().generatedAlwaysAsIdentity(),
  now: sql`now()`,
  strictTypes: (table) => table,
};

/** The words of each store. */
export const columnsOf = { sqlite, postgres };
