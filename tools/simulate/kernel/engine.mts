import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, openDatabase } from '@app/persistence';
import { type CompiledQuery, type QueryResult, SelectQueryNode } from 'kysely';
import { librarySchemas } from '../../../libs/service/src/schema.ts';
import { type Row, type RowReader, rowReader } from '../../../libs/persistence/src/dialects/row-reader.ts';

interface Prepared {
  readonly statement: StatementSync;
  /** The row reader; `undefined` if the statement returns no rows. */
  readonly read: RowReader | undefined;
}

/** The framework tables in memory. The product's statements run on them unchanged, in turn. */
export class Engine {
  private readonly database = new DatabaseSync(':memory:');
  private readonly statements = new Map<string, Prepared>();
  /** The rows read since the last write, by statement and values, so that a thousand polls cause a single read. */
  private readonly results = new Map<string, QueryResult<Row>>();

  /** @param clock `clock_timestamp()` of PostgreSQL, in milliseconds since 1970 */
  constructor(schema: readonly string[], clock: () => number) {
    for (const sql of schema) this.database.exec(sql);
    this.database.function('clock_timestamp', () => Math.floor(clock()));
  }

  /** Executes a single statement in its own transaction. */
  run({ sql, parameters, query }: CompiledQuery): QueryResult<Row> {
    if (!SelectQueryNode.is(query)) return this.write(sql, parameters.map(toSqlite));
    const key = parameters.length === 0 ? sql : `${sql}\n${JSON.stringify(parameters)}`;
    const result = this.results.get(key) ?? this.execute(sql, parameters.map(toSqlite));
    this.results.set(key, result);
    return result;
  }

  /** The number that a query of the simulation itself returns. */
  count(sql: string): number {
    return Number(this.execute(sql, []).rows[0]?.n);
  }

  close(): void {
    this.database.close();
  }

  private write(sql: string, values: readonly SQLInputValue[]): QueryResult<Row> {
    const result = this.execute(sql, values);
    this.results.clear();
    return result;
  }

  private execute(sql: string, values: readonly SQLInputValue[]): QueryResult<Row> {
    const { statement, read } = this.prepared(sql);
    if (read === undefined) return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) };
    const rows = arrays(statement.all(...values)).map(read);
    return { rows, numAffectedRows: BigInt(rows.length) };
  }

  private prepared(sql: string): Prepared {
    const prepared = this.statements.get(sql) ?? prepare(this.database, sql);
    this.statements.set(sql, prepared);
    return prepared;
  }
}

let schema: Promise<readonly string[]> | undefined;

/** Returns the statements that create the framework tables. The migrations create these tables in a file first. */
export function readSchema(): Promise<readonly string[]> {
  schema ??= migrateFile();
  return schema;
}

async function migrateFile(): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-simulate-'));
  const file = join(folder, 'store.db');
  const db = openDatabase(`sqlite:${file}`);
  try {
    await migrate(db, librarySchemas);
    const created = new DatabaseSync(file, { readOnly: true });
    const rows = created
      .prepare(`select sql from sqlite_schema where sql is not null and name not like 'sqlite_%'`)
      .all();
    created.close();
    return rows.map((row) => String(row.sql));
  } finally {
    await db.destroy();
    rmSync(folder, { recursive: true, force: true });
  }
}

function prepare(database: DatabaseSync, sql: string): Prepared {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  const columns = statement
    .columns()
    .map(({ name }) => (name.endsWith('_at') ? { name, read: readDate } : { name }));
  return { statement, read: columns.length === 0 ? undefined : rowReader(columns) };
}

function readDate(value: unknown): unknown {
  return new Date(Number(value));
}

function toSqlite(value: unknown): SQLInputValue {
  if (value instanceof Date) return BigInt(Math.floor(value.getTime()));
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

/** The rows after `setReturnArrays`, which the types do not include. */
function arrays(rows: unknown[]): unknown[][];
function arrays(rows: unknown[]): unknown[] {
  return rows;
}
