import { type Dialect } from './columns';
import { type Migrations } from './migration';
import { type Tables } from './tables';
import { addTenantTable } from './tenant-tables';

/**
 * A column's readers in responses.
 *
 * - `secret`: nobody; its name and its values stay hidden.
 * - `shown-once`: the value, such as a webhook secret, appears only in the response to the request that creates the row.
 * - `internal`: its name appears in no response; its values are harmless.
 * - `owner`: its account alone, in its export.
 * - `operators`: administrators, and its account in its export.
 * - `open`: everyone who may read the row.
 */
export type Secrecy = 'secret' | 'shown-once' | 'internal' | 'owner' | 'operators' | 'open';

/**
 * The place of a table in the account export: a member that leaves out the columns named with a reason, or the reason for the
 * table's absence.
 */
export type Exported =
  | { readonly part: string; readonly without?: Readonly<Record<string, string>> }
  | { readonly not: string }
  | 'nothing of an account';

/** A table's declared properties, beside its type. */
export interface TableParts<Column extends PropertyKey = string> {
  /** Every column's secrecy. */
  readonly secrecy: Readonly<Record<Column, Secrecy>>;
  readonly exported: Exported;
  /** The JSON members that everyone who may read the row can read, as far as they are named. */
  readonly openMembers?: readonly string[];
  /**
   * The only database with the table, such as PostgreSQL for a `tsvector`. Its migrations change nothing on the other database.
   * Default: both.
   */
  readonly dialect?: Dialect;
  /**
   * The migrations that create and change the table. Their names number the migrations across all tables of the owner:
   * `0003-tasks`. A unique constraint is named `<table>_<columns>_unique`, see sqlite-errors.ts.
   */
  readonly migrations?: Migrations;
  /**
   * The column with each row's tenant, such as `organizationId`. The database refuses statements on the table that are
   * not bound to a tenant by `db.for(membership)`.
   */
  readonly tenant?: Column;
}

/** A table that a program has. */
export interface TableDefinition extends TableParts {
  /** The table name in {@link Tables}. */
  readonly name: string;
}

/** The declared tables with an `id` column, which inserts may have to generate. */
const namesWithId = new Set<string>();

/** Whether an account gets a column in its export. */
export function isExported(secrecy: Secrecy | undefined): boolean {
  return secrecy === 'owner' || secrecy === 'operators' || secrecy === 'open';
}

/** Declares a table of {@link Tables}: `defineTable('task', { secrecy: { id: 'open', … }, … })`. */
export function defineTable<Name extends keyof Tables>(
  name: Name,
  parts: TableParts<keyof Tables[Name] & string>,
): TableDefinition {
  if ('id' in parts.secrecy) namesWithId.add(name);
  if (parts.tenant !== undefined) addTenantTable({ name, column: parts.tenant });
  return { name, ...parts };
}

/** Whether a dialect's database has a table. */
export function isOn({ dialect: only }: Pick<TableParts, 'dialect'>, dialect: Dialect): boolean {
  return only === undefined || only === dialect;
}

/** Whether a declared table has a column `id`. */
export function hasId(name: string): boolean {
  return namesWithId.has(name);
}
