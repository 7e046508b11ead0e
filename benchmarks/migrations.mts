/**
 * Measures how long each migration takes on a large database, on SQLite and on a PostgreSQL server that it starts:
 * `npm run bench -- migrations`. Each table that a migration names has a million rows before the migration runs. The migration's
 * `tookMs` keeps the figures for `migrate --list`.
 *
 * `npm run bench -- migrations back-office` measures the migrations of that application. The default is `api`. `--quick` fills
 * in 50,000 rows. `--json` writes rows `{case, subject, value, unit}`.
 */
import '../scripts/load-sources.mts';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Database, MigrationHistory } from '@app/persistence';

const { DefaultQueryExecutor, sql } = await import('kysely');
const { migrate, openDatabase } = await import('@app/persistence');
const { schemasOf } = await import('@app/service');
const { readProgram } = await import('../scripts/programs.mts');
const { startPostgres } = await import('../libs/persistence/testing/postgres-server.ts');

const {
  values,
  positionals: [application = 'api'],
} = parseArgs({ allowPositionals: true, options: { quick: { type: 'boolean' }, json: { type: 'boolean' } } });
const count = values.quick ? 50_000 : 1_000_000;
/** The number of rows in a statement. */
const batch = 50_000;

interface Row {
  readonly case: string;
  readonly subject: string;
  readonly value: number;
  readonly unit: 'ms';
}

const rows: Row[] = [];
const { all: histories } = schemasOf(await readProgram(application));
const names = histories.flatMap((history) =>
  Object.keys(history.migrations).map((name) => `${history.owner}/${name}`),
);
const folder = mkdtempSync(join(tmpdir(), 'sluice-migrations-'));
const server = await startPostgres({ isDurable: true });
try {
  const named = await tablesNamed(`sqlite:${join(folder, 'empty.db')}`);
  await measure('SQLite', `sqlite:${join(folder, 'store.db')}`, named);
  await measure('PostgreSQL', server.url, named);
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
report();

/** Returns the histories up to the migration that runs next. */
function upTo(last: string): readonly MigrationHistory[] {
  const applied = new Set(names.slice(0, names.indexOf(last) + 1));
  return histories.map(({ owner: of, migrations }) => ({
    owner: of,
    migrations: Object.fromEntries(
      Object.entries(migrations).filter(([name]) => applied.has(`${of}/${name}`)),
    ),
  }));
}

/** Finds the existing tables that each migration names in its statements. */
async function tablesNamed(url: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const db = openDatabase(url);
  const statements = new Map<string, readonly string[]>();
  const { prototype } = DefaultQueryExecutor;
  const execute = Reflect.get(prototype, 'executeQuery');
  let executed = '';
  Reflect.set(prototype, 'executeQuery', function (this: unknown, ...args: [{ readonly sql: string }]) {
    executed += args[0].sql;
    return Reflect.apply(execute, this, args);
  });
  try {
    for (const name of names) {
      const before = (await db.introspection.getTables()).map((table) => table.name);
      executed = '';
      await migrate(db, upTo(name));
      statements.set(
        name,
        before.filter((table) => !/migration/.test(table) && executed.includes(`"${table}"`)),
      );
    }
  } finally {
    Reflect.set(prototype, 'executeQuery', execute);
    await db.destroy();
  }
  return statements;
}

async function measure(
  store: string,
  url: string,
  named: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const db = openDatabase(url);
  const filled = new Set<string>();
  try {
    for (const name of names) {
      const tables = named.get(name) ?? [];
      for (const table of tables.filter((tableName) => !filled.has(tableName))) await fill(db, table);
      tables.forEach((table) => filled.add(table));
      const startedAt = performance.now();
      await migrate(db, upTo(name));
      const value = Math.round(performance.now() - startedAt);
      const subject = `${name}, on ${tables.length === 0 ? 'no table' : tables.join(', ')}`;
      rows.push({ case: store, subject, value, unit: 'ms' });
    }
  } finally {
    await db.destroy();
  }
}

/** Inserts rows with values for the required columns only, ignoring foreign keys. */
async function fill(db: Database, table: string): Promise<void> {
  const { columns = [] } = (await db.introspection.getTables()).find(({ name }) => name === table) ?? {};
  const needed = columns.filter(
    ({ isNullable, hasDefaultValue, isAutoIncrementing, name }) =>
      !isNullable && !hasDefaultValue && !isAutoIncrementing && name !== 'id',
  );
  const list = sql.join(needed.map(({ name }) => sql.id(name)));
  const cells = sql.join(needed.map(({ name, dataType }) => valueOf(name, dataType.toLowerCase())));
  const isSqlite = db.dialect === 'sqlite';
  // Its timeouts are long.
  const handle = db.forMigrations();
  await handle.connection().execute(async (connection) => {
    const run = (statement: typeof list) => statement.execute(connection);
    await run(isSqlite ? sql`pragma foreign_keys = off` : sql`set session_replication_role = replica`);
    for (let first = 1; first <= count; first += batch)
      await run(
        sql`insert into ${sql.table(table)} (${list}) select ${cells} from ${numbers(isSqlite, first)} as numbers`,
      );
    await run(isSqlite ? sql`pragma foreign_keys = on` : sql`vacuum analyze ${sql.table(table)}`);
  });
  await handle.destroy();
}

/** Returns {@link batch} numbers. */
function numbers(isSqlite: boolean, first: number) {
  const [from, to] = [sql.lit(first), sql.lit(first + batch - 1)];
  return isSqlite
    ? sql`(with recursive numbers (n) as (select ${from} union all select n + 1 from numbers where n < ${to}) select n from numbers)`
    : sql`(select n from generate_series(${from}, ${to}) as g (n))`;
}

/** Returns an expression with a unique value for each row. */
function valueOf(name: string, type: string) {
  if (/^(text|varchar)/.test(type)) return sql`${sql.lit(`${name} `)} || n`;
  if (/^(int|bigint|numeric)/.test(type)) return sql`n`;
  if (type.startsWith('timestamp')) return sql`now()`;
  if (type.startsWith('json')) return sql`'{}'`;
  if (type.startsWith('bool')) return sql`false`;
  throw new TypeError(`a benchmark has no value for ${name} of the type ${type}: add one`);
}

function report(): void {
  if (values.json) {
    process.stdout.write(`${JSON.stringify(rows)}\n`);
    return;
  }
  const load = loadavg().map((number) => number.toFixed(1));
  process.stdout.write(
    `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, load ${load.join(' ')}, ${count} rows of each table\n`,
  );
  for (const row of rows) process.stdout.write(`${row.case} · ${row.subject}: ${row.value} ${row.unit}\n`);
}
