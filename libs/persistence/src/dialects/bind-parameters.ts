import { UnstorableValueError } from '../errors';
import { type Bindable, bindable } from './bindable';
import { camelCase } from './column-names';

/**
 * Checks the parameters of a statement.
 *
 * @throws {UnstorableValueError} with the column, if the statement says which
 * @throws {TypeError} for a value that no database has: a programming error
 */
export function bindParameters(sql: string, parameters: readonly unknown[]): Bindable[] {
  return parameters.map((parameter, index) => {
    try {
      return bindable(parameter);
    } catch (error) {
      throw error instanceof UnstorableValueError ? error.inColumn(columnOf(sql, index)) : error;
    }
  });
}

/**
 * The column that a parameter is written to, in camelCase, of a statement as Kysely writes it.
 *
 * @param index of the parameter, from 0
 * @returns `undefined` if the parameter is not written to a column
 */
export function columnOf(sql: string, index: number): string | undefined {
  const columns = sql.startsWith('insert ') ? insertedInto(sql) : [];
  const column = columns[index % columns.length] ?? assignedIn(sql)[index];
  return column && camelCase(column);
}

/** Of `insert into "item" ("sku", "price") values (…)`, whose rows have a parameter for each column. */
function insertedInto(sql: string): string[] {
  const columns = /^insert into "\w+" \(([^)]*)\) values /.exec(sql)?.[1] ?? '';
  return [...columns.matchAll(/\w+/g)].map(([column]) => column);
}

/** Of `update "item" set "price" = ? where …`: for each parameter the column before it, if any. */
function assignedIn(sql: string): (string | undefined)[] {
  return [...sql.matchAll(/(?:"(\w+)" = )?(?:\?|\$\d+)/g)].map(([, column]) => column);
}
