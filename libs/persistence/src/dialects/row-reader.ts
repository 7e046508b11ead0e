import { camelCase } from './column-names';

/** A result row. */
export type Row = Record<string, unknown>;

/** Builds a row from values in column order. */
export type RowReader = (values: ArrayLike<unknown>) => Row;

/** A result column. */
export interface Column {
  /** The column name in the database. */
  readonly name: string;
  /** Converts a value that is not null. */
  read?(value: unknown): unknown;
}

/** The suffix that marks a column with JSON text. @see jsonRows */
export const jsonMark = ':json';

/** Creates a row reader, once per statement. Names are converted only once, and all rows share a hidden class. */
export function rowReader(columns: readonly Column[]): RowReader {
  const members = columns.map(({ name }) => memberFor(name));
  const blank: Row = Object.fromEntries(members.map((member) => [member, undefined]));
  const setters = columns.map((column, at) => setterOf(members[at] ?? '', at, column));
  return (values) => {
    const row = { ...blank };
    for (const set of setters) set(row, values);
    return row;
  };
}

function memberFor(column: string): string {
  return camelCase(column.endsWith(jsonMark) ? column.slice(0, -jsonMark.length) : column);
}

/** A closure per column: it always writes the same property at the same position, which V8 optimizes. */
function setterOf(member: string, at: number, column: Column) {
  return column.read
    ? (row: Row, values: ArrayLike<unknown>): void => {
        const value = values[at];
        row[member] = value === null ? null : column.read?.(value);
      }
    : (row: Row, values: ArrayLike<unknown>): void => {
        row[member] = values[at];
      };
}
