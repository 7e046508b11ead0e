import { filtersOf, sortKeysOf } from '@app/paging';
import { Database } from '@app/persistence';
import { CompiledQuery, sql } from 'kysely';
import { describeRoutes } from '../src/contract/describe-routes.discovery';
import type { BootedProgram } from './boot-program';

/** A list and an order that it declares. */
interface Order {
  readonly path: string;
  readonly sort: string;
  /** A filter that is combined with the order. */
  readonly filter?: string;
  /** Whether the order has rows with null, which are read by a separate scan and then sorted with the other rows. */
  readonly hasNulls: boolean;
}

/** A program's list orders, as an administrator has read them. */
export interface ReadOrders {
  /** The paths that were read. */
  readonly read: readonly string[];
  /** The paths for which rows were sorted, or a table was read completely. */
  readonly faults: readonly string[];
}

/** Queries that a program runs at any time, whatever a request asks. The sweep deletes rows, and seals events. */
const background = /^(?!select|with)| from "(?:revocation|mail|audit_event|audit_block)"/;

/**
 * Reads each declared order in each list, alone and with each filter: the first page, and the next page if the list has more
 * rows. This shows that the databases use the indexes that the program's start accepts for its orders.
 *
 * @throws Error if a list reads no rows in an order, or lacks the next page
 */
export async function readOrders(program: BootedProgram): Promise<ReadOrders> {
  const run = vi.spyOn(Database.prototype, 'executeQuery');
  const db = program.app().get(Database, { strict: false }).openAnother();
  const administrator = await program.administrator();
  const [read, faults]: [string[], string[]] = [[], []];
  try {
    for (const order of ordersOf(program)) {
      const { items = [] } = (await administrator.get(order.path)).json ?? {};
      const path = pathOf(order, items);
      if (path === undefined) continue;
      run.mockClear();
      const { headers } = await administrator.get(path);
      const [, next] = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
      if (next !== undefined) await administrator.get(next);
      const queries = run.mock.calls.flatMap(([query]) => ('sql' in query ? [query] : [])).filter(isOfList);
      const expected = order.filter === undefined && items.length > 1 ? 2 : 1;
      if (queries.length < expected) throw new Error(`${path} has read ${queries.length} pages in its order`);
      read.push(path);
      for (const query of queries) {
        const { sorts, scans } = await explain(db, query);
        if (scans > 0 || sorts > (order.hasNulls ? 1 : 0)) faults.push(path);
      }
    }
  } finally {
    run.mockRestore();
    await db.destroy();
  }
  return { read, faults };
}

function ordersOf(program: BootedProgram): Order[] {
  const lists = describeRoutes(program.app()).filter(
    ({ method, path }) => method === 'GET' && !path.includes(':'),
  );
  return lists.flatMap(({ path, query: { type = Object } = {} }) => {
    const filters = filtersOf(type);
    return [...sortKeysOf(type).values()].flatMap(({ name, hasNulls }) =>
      [undefined, ...filters].flatMap((filter) =>
        ['', '-'].map((sign): Order => ({ path, sort: sign + name, filter, hasNulls })),
      ),
    );
  });
}

/** Returns the path with the order, and with a filter value that rows have; `undefined` if every row lacks a value. */
function pathOf({ path, sort, filter }: Order, rows: readonly Record<string, unknown>[]): string | undefined {
  const ordered = `${path}?sort=${sort}&limit=1`;
  if (filter === undefined) return ordered;
  const value = rows
    .map((row) => row[filter])
    .find((candidate) => candidate !== null && candidate !== undefined);
  return value === undefined ? undefined : `${ordered}&${filter}=${encodeURIComponent(String(value))}`;
}

function isOfList({ sql: text }: CompiledQuery): boolean {
  return !background.test(text) && text.includes(' order by ');
}

/** The way in which a query is executed. */
export interface Explained {
  /** The number of row sorts. Rows that an index delivers in order need no sort. */
  readonly sorts: number;
  /** The number of full table reads. */
  readonly scans: number;
}

/** Asks the database how it executes a query. */
export function explain(db: Database, query: CompiledQuery): Promise<Explained> {
  return db.dialect === 'postgres' ? explainOnPostgres(db, query) : explainOnSqlite(db, query);
}

async function explainOnSqlite(db: Database, { sql: text, parameters }: CompiledQuery): Promise<Explained> {
  const { rows } = await db.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`explain query plan ${text}`, [...parameters]),
  );
  const named = (step: RegExp) => rows.flatMap(({ detail }) => step.exec(detail) ?? []);
  const subqueries = new Set(named(/(?<=^CO-ROUTINE )\w+$/));
  return {
    sorts: named(/^USE TEMP B-TREE FOR (?:LAST TERM OF )?ORDER BY/).length,
    scans: named(/(?<=^SCAN )\w+$/).filter((name) => !subqueries.has(name)).length,
  };
}

/** A plan node. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly Plans?: readonly PlanNode[];
}

/**
 * Explains a query on PostgreSQL. Sequential scans and sorts are turned off, so that the small test tables get the plan of large
 * tables.
 */
function explainOnPostgres(db: Database, { sql: text, parameters }: CompiledQuery): Promise<Explained> {
  return db.connection().execute(async (connection) => {
    for (const node of ['seqscan', 'sort'])
      await sql`set ${sql.raw(`enable_${node}`)} = off`.execute(connection);
    const { rows } = await connection.executeQuery<Record<string, [{ Plan: PlanNode }]>>(
      CompiledQuery.raw(`explain (format json) ${text}`, [...parameters]),
    );
    const types = rows.flatMap((row) => Object.values(row).flatMap(([{ Plan: plan }]) => typesOf(plan)));
    const count = (type: string) => types.filter((item) => item === type).length;
    return { sorts: count('Sort'), scans: count('Seq Scan') };
  });
}

function typesOf({ 'Node Type': type, Plans: children = [] }: PlanNode): string[] {
  return [type, ...children.flatMap(typesOf)];
}
