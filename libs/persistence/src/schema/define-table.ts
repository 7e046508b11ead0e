import { type Dialect } from './columns';
import { type Migrations } from './migration';
import { type Tables } from './tables';

/**
 * Who may read a column in a response.
 *
 * `secret`: nobody may see its name or its values. `shown-once`: the response of the request that creates the row has its value, such
 * as the secret of a webhook, and no later response has its name or its value. `internal`: its name is in no response, its values are
 * harmless.
 * `owner`: its account alone, in its export. `operators`: administrators, and its account in its export. `open`: everyone who may read the row.
 */
export type Secrecy = 'secret' | 'shown-once' | 'internal' | 'owner' | 'operators' | 'open';

/**
 * Where the rows of a table are in the export of an account: a member of the document, without the columns that are named with a reason;
 * or why they are not in it.
 */
export type Exported =
  | { readonly part: string; readonly without?: Readonly<Record<string, string>> }
  | { readonly not: string }
  | 'nothing of an account';

/** What is declared of a table, beside its type. */
export interface TableParts<Column extends PropertyKey = string> {
  /** Of every column. */
  readonly secrecy: Readonly<Record<Column, Secrecy>>;
  readonly exported: Exported;
  /** Members of its columns of JSON, as far as they are named: everyone who may read the row reads them. */
  readonly openMembers?: readonly string[];
  /** The only database that has the table, such as PostgreSQL for a `tsvector`; its migrations change nothing on the other. Default: both. */
  readonly dialect?: Dialect;
  /**
   * Those that create and change it, by names that number the migrations of all tables of its owner: `0003-tasks`. A unique constraint is
   * named `<table>_<columns>_unique`, see sqlite-errors.ts.
   */
  readonly migrations?: Migrations;
}

/** A table that a program has. */
export interface TableDefinition extends TableParts {
  /** As in {@link Tables}. */
  readonly name: string;
}

/** Of all tables that are declared: what is inserted into them may have to be given an id. */
const namesWithId = new Set<string>();

/** Whether an account gets a column in its export. */
export function isExported(secrecy: Secrecy | undefined): boolean {
  return secrecy === 'owner' || secrecy === 'operators' || secrecy === 'open';
}

/** Declares a table of {@link Tables}: `defineTable('task', { secrecy: { id: 'open', … }, … })`. */
export function defineTable<Name extends keyof Tables>(
  name: Name,
  parts: TableParts<keyof Tables[Name]>,
): TableDefinition {
  if ('id' in parts.secrecy) namesWithId.add(name);
  return { name, ...parts };
}

/** Whether a database of a dialect has a table. */
export function isOn({ dialect: only }: Pick<TableParts, 'dialect'>, dialect: Dialect): boolean {
  return only === undefined || only === dialect;
}

/** Whether a declared table has a column `id`. */
export function hasId(name: string): boolean {
  return namesWithId.has(name);
}
