import { UnstorableValueError } from '../errors';
import { type Bindable, bindable } from './bindable';
import { camelCase } from './column-names';

/**
 * Checks a statement's parameters.
 *
 * @throws {UnstorableValueError} with the column, if the statement names it
 * @throws {TypeError} for a value that databases lack, which is a programming error
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
 * Returns the column, in camelCase, that a parameter of a Kysely statement is written to.
 *
 * @param index the parameter index, from 0
 * @returns `undefined` if the parameter is not written to a column
 */
export function columnOf(sql: string, index: number): string | undefined {
  const columns = sql.startsWith('insert ') ? insertedInto(sql) : [];
  const column = columns[index % columns.length] ?? assignedIn(sql)[index];
  return column && camelCase(column);
}

/** Reads the columns of `insert into "item" ("sku", "price") values (…)`. Each row has a parameter for each column. */
function insertedInto(sql: string): string[] {
  const columns = /^insert into "\w+" \(([^)]*)\) values /.exec(sql)?.[1] ?? '';
  return [...columns.matchAll(/\w+/g)].map(([column]) => column);
}

/** Reads the columns of `update "item" set "price" = ? where …`: for each parameter the preceding column, if any. */
function assignedIn(sql: string): (string | undefined)[] {
  return [...sql.matchAll(/(?:"(\w+)" = )?(?:\?|\$\d+)/g)].map(([, column]) => column);
}
