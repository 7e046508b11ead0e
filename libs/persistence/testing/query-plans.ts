import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { CompiledQuery, DefaultQueryExecutor, sql } from 'kysely';
import { Database } from '../src/database/database';
import { Statement } from '../src/statements/statement';
import { ofAllTenants } from './all-tenants';
import { intercept } from './intercept';

/**
 * Matches queries that read rows in primary key order and stop at a limit, so that their time is independent of the table size.
 */
const isFirstPage = /^select (?:(?! where ).)* order by "id"(?: asc| desc)? limit \S+(?: offset \S+)?$/;
/** Matches deletes of the rows over a limit, which are read from an index. */
const isOverCount =
  /^delete from ("\w+") where "id" (?:in|= any) \((?:\(|array\()+select "id" from \1 order by "created_at" desc, "id" desc limit \S+ offset \S+\)+$/;
const isPlannable = /^(select .*\bfrom|update|delete)\b/s;

const root = join(__dirname, '../../..');

/** Records the queries that the tests in a `describe` execute. Create it before the programs in the `describe`. */
export class QueryRecord {
  private readonly recorded = new Map<string, CompiledQuery>();
  /** The statements by the file that executes them. */
  private readonly statements = new Map<string, Set<unknown>>();

  constructor() {
    // Statements outside of transactions are executed without Kysely's executor.
    for (const { prototype } of [DefaultQueryExecutor, Database])
      onCall(prototype, 'executeQuery', (_, query: CompiledQuery) => this.addQuery(query));
    onCall(Statement.prototype, 'execute', (statement) => this.addStatement(statement));
  }

  /** The executed queries, without duplicates. */
  get queries(): readonly CompiledQuery[] {
    return [...this.recorded.values()];
  }

  /**
   * Counts the unexecuted statements for each file in a repository folder.
   *
   * @param others the statement count of each file that only the other database executes
   */
  unexecuted(folder: string, others: Readonly<Record<string, number>> = {}): Record<string, number> {
    const missing = sourcesIn(folder).map((file): [string, number] => {
      const declared = readFileSync(join(root, file), 'utf8').match(/(?<!function )\bstatement\(/g) ?? [];
      const executed = this.statements.get(file)?.size ?? 0;
      return [file, declared.length - executed - (others[file] ?? 0)];
    });
    return Object.fromEntries(missing.filter(([, count]) => count > 0));
  }

  /**
   * Returns the queries that read a table completely, with the plan step that does it.
   *
   * @param partial a small partial index, which may be read completely
   */
  async fullScans(db: Database, ...partial: readonly string[]): Promise<string[]> {
    const explain = db.dialect === 'postgres' ? scansOnPostgres : scansOnSqlite;
    const another = db.openAnother();
    const scans: string[] = [];
    for (const query of this.queries) {
      if (isFirstPage.test(query.sql) || isOverCount.test(query.sql)) continue;
      for (const scan of await explain(another, query, partial)) scans.push(`${scan}: ${query.sql}`);
    }
    await another.destroy();
    return scans;
  }

  private addQuery(query: CompiledQuery): void {
    if (
      isPlannable.test(query.sql) &&
      !/schema_migration|migration_(?:of|lock|requirement)|factor_in_use|pg_try_advisory|pg_advisory|id_range|pg_catalog|information_schema/.test(
        query.sql,
      )
    )
      this.recorded.set(query.sql, query);
  }

  private addStatement(statement: unknown): void {
    const file = callerOf(new Error().stack ?? '');
    this.statements.set(file, (this.statements.get(file) ?? new Set()).add(statement));
  }
}

/** Calls `note` before each call to a method during the tests of the current `describe`. */
function onCall<Call extends unknown[]>(
  prototype: object,
  method: string,
  note: (self: unknown, ...call: Call) => void,
): void {
  intercept<Call>(prototype, method, (proceed, self, ...call) => {
    note(self, ...call);
    return proceed();
  });
}

/** Returns the first file in a stack besides the statement and this file. */
function callerOf(stack: string): string {
  const files = [...stack.matchAll(/([^\s(]+\.ts):\d+:\d+/g)].map(([, file]) => relative(root, `${file}`));
  return files.find((file) => !/query-plans|intercept|statement\.ts/.test(file)) ?? '';
}

function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => join(folder, file));
}

async function scansOnSqlite(
  db: Database,
  { sql: text, parameters }: CompiledQuery,
  partial: readonly string[],
): Promise<string[]> {
  const { rows } = await ofAllTenants(db).executeQuery<{ detail: string }>(
    CompiledQuery.raw(`explain query plan ${text}`, [...parameters]),
  );
  const { rows: tables } = await sql<{ name: string }>`select name from sqlite_schema`.execute(db);
  const names = new Set(tables.map(({ name }) => name));
  // A subquery is scanned too, and has a page of rows.
  return rows
    .map(({ detail }) => detail)
    .filter(
      (step) =>
        !partial.some((index) => step.includes(index)) && names.has(/^SCAN (\S+)/.exec(step)?.[1] ?? ''),
    );
}

/** A node of a plan. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** Explains queries without `enable_seqscan`. The test tables are small, and this shows the plan for large tables. */
function scansOnPostgres(
  db: Database,
  { sql: text, parameters }: CompiledQuery,
  partial: readonly string[],
): Promise<string[]> {
  return db.connection().execute(async (connection) => {
    await sql`set enable_seqscan = off`.execute(connection);
    const { rows } = await ofAllTenants(connection).executeQuery<Record<string, [{ Plan: PlanNode }]>>(
      CompiledQuery.raw(`explain (format json) ${text}`, [...parameters]),
    );
    return rows.flatMap((row) => Object.values(row).flatMap(([{ Plan: plan }]) => scansOf(plan, partial)));
  });
}

function scansOf(node: PlanNode, partial: readonly string[]): string[] {
  const { 'Node Type': type, 'Index Cond': condition, 'Index Name': index, Plans: children = [] } = node;
  const isScan =
    /^(Seq|Index|Index Only) Scan$/.test(type) && condition === undefined && !partial.includes(index ?? '');
  return [
    ...(isScan ? [`${type} on ${node['Relation Name']}`] : []),
    ...children.flatMap((child) => scansOf(child, partial)),
  ];
}
