import { Public } from '@app/auth';
import { ContractError } from '@app/contract';
import { Filterable, filtersOf, PaginationQuery, Sortable, sortedList, sortKeysOf } from '@app/paging';
import { ApplicationSchema, Database } from '@app/persistence';
import { migratedDatabase, type TemporaryDatabase } from '@app/persistence/testing';
import { Returns } from '@app/serialization';
import { createProgram, describeRoutes, readSettings } from '@app/service';
import type { Client } from '@app/service/testing';
import { Schema } from '@app/shapes';
import { IfGiven } from '@app/validation';
import { Controller, Get, Query } from '@nestjs/common';
import { Exclude, Expose } from 'class-transformer';
import { IsIn } from 'class-validator';
import { CompiledQuery, sql } from 'kysely';
import { program } from '../src/api.program';
import { bootApi } from '../testing/boot-api';

/** A list and an order that it declares. */
interface Order {
  readonly path: string;
  readonly sort: string;
  /** A filter that it is combined with. */
  readonly filter?: string;
  /** Whether the order has rows with null, which are read by a scan of their own, and sorted with the others. */
  readonly hasNulls: boolean;
}

/** What a program does at any time, whatever it is asked: the sweep deletes rows, seals events and removes pictures. */
const background = /^(?!select|with)| from "(?:revocation|mail|audit_event|audit_block|picture)"/;

/** What the start of a program takes for an index of an order is used as one by the databases. */
describe('the index of each declared order', () => {
  const api = bootApi();
  const run = vi.spyOn(Database.prototype, 'run');
  let administrator: Client;

  beforeAll(async () => {
    administrator = await api.administrator();
    for (const name of ['one', 'two', 'three']) {
      await administrator.post('/items', { sku: name, name, price: name.length });
      await administrator.post('/posts', { slug: name });
    }
  });

  function orders(): Order[] {
    const lists = describeRoutes(api.app()).filter(({ path }) => path === '/items' || path === '/posts');
    return lists.flatMap(({ path, query: { type = Object } = {} }) => {
      const filters = filtersOf(type);
      return [...sortKeysOf(type).values()].flatMap(({ name, hasNulls }) =>
        [undefined, ...filters].flatMap((filter) =>
          ['', '-'].map((sign): Order => ({ path, sort: sign + name, filter, hasNulls })),
        ),
      );
    });
  }

  /** Filtered by a value that rows have; `undefined` if none has one. */
  async function pathOf({ path, sort, filter }: Order): Promise<string | undefined> {
    if (filter === undefined) return `${path}?sort=${sort}&limit=1`;
    const { items } = (await administrator.get(path)).json;
    const value = items.map((row: Record<string, unknown>) => row[filter]).find(isGiven);
    return isGiven(value)
      ? `${path}?sort=${sort}&limit=1&${filter}=${encodeURIComponent(String(value))}`
      : undefined;
  }

  /** The queries of the first page, and of the next one, which a filter by a unique member does not have. */
  async function queriesOf(path: string): Promise<CompiledQuery[]> {
    run.mockClear();
    const { headers } = await administrator.get(path);
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
    const last = next === '' ? { status: 200 } : await administrator.get(next);
    expect(last.status).toBe(200);
    const queries = run.mock.calls.map(([query]) => query).filter(({ sql: text }) => !background.test(text));
    return queries.filter(({ sql: text }) => text.includes(' order by '));
  }

  it('is used by the first page and by the next one', async () => {
    const explain = process.env.TEST_DATABASE_URL ? explainOnPostgres : explainOnSqlite;
    const db = api.app().get(Database, { strict: false }).openAnother();
    const declared = orders();
    const faults: string[] = [];
    for (const order of declared) {
      const path = await pathOf(order);
      if (path === undefined) continue;
      const queries = await queriesOf(path);
      expect(queries.length).toBeGreaterThanOrEqual(order.filter === undefined ? 2 : 1);
      for (const query of queries) {
        const { sorts, scans } = await explain(db, query);
        if (scans > 0 || sorts > (order.hasNulls ? 1 : 0)) faults.push(path);
      }
    }
    await db.destroy();
    expect(declared.length).toBeGreaterThan(4);
    expect(faults).toEqual([]);
  });

  it('is missed if there is none', async () => {
    const explain = process.env.TEST_DATABASE_URL ? explainOnPostgres : explainOnSqlite;
    const db = api.app().get(Database, { strict: false }).openAnother();
    const query = db.selectFrom('account').selectAll().orderBy('firstName').orderBy('id').limit(1).compile();
    const { sorts, scans } = await explain(db, query);
    await db.destroy();
    expect([sorts, scans]).toEqual([1, 1]);
  });
});

@Exclude()
class Account {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  @Expose() @Schema({ type: ['string', 'null'] }) lastName!: string | null;
  @Expose() @Schema({ type: 'string' }) emailKey!: string;
}

@Exclude()
class OwnKey {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  @Expose() @Schema({ type: 'string' }) name!: string;
}

@Sortable(Account, 'lastName', 'emailKey')
@Filterable('role')
class AccountsQuery extends PaginationQuery {
  @IfGiven() @IsIn(['user', 'admin']) role?: string;
}

@Sortable(OwnKey, 'name')
class OwnKeysQuery extends PaginationQuery {}

@Filterable('role')
class UnreadQuery extends PaginationQuery {
  @IfGiven() @IsIn(['user', 'admin']) role?: string;
}

sortedList((_given, db) => db.selectFrom('account').selectAll(), { queries: [AccountsQuery] });
sortedList(
  ({ accountId }: { accountId: number }, db) =>
    db.selectFrom('apiKey').selectAll().where('accountId', '=', accountId),
  { queries: [OwnKeysQuery] },
);

@Controller('lists')
@Public()
class ListsController {
  @Get('accounts') @Returns('nothing') accounts(@Query() _query: AccountsQuery) {}
  @Get('keys') @Returns('nothing') keys(@Query() _query: OwnKeysQuery) {}
  @Get('unread') @Returns('nothing') unread(@Query() _query: UnreadQuery) {}
}

describe('a program with a list whose order has no index', () => {
  let database: TemporaryDatabase;
  beforeAll(async () => {
    database = await migratedDatabase(new ApplicationSchema(program.name, program.tables ?? []));
  });
  afterAll(() => database.remove());

  async function start(env: Readonly<Record<string, string>> = {}) {
    const settings = readSettings(program.declarations, { DATABASE_URL: database.url, ...env });
    class Root {}
    const module = { module: Root, imports: [program.module(settings)], controllers: [ListsController] };
    const app = await createProgram({ name: 'api', module, settings });
    await app.close();
  }

  it('does not start, and says which index it needs', async () => {
    const error: unknown = await start().catch((thrown: unknown) => thrown);
    const findings = error instanceof ContractError ? error.findings : [];
    const add = (name: string, table: string, columns: string) =>
      `Add a migration: await db.schema.createIndex('${name}').on('${table}').columns([${columns}]).execute()`;
    expect(findings.map(({ code, problem, remedy }) => [code, problem, remedy])).toEqual([
      [
        'SLUICE-C405',
        '/lists/accounts?sort=lastName has no index',
        add('account_last_name_id', 'account', "'last_name', 'id'"),
      ],
      [
        'SLUICE-C405',
        '/lists/accounts?role=… has no index',
        add('account_role_id', 'account', "'role', 'id'"),
      ],
      [
        'SLUICE-C405',
        '/lists/accounts?role=…&sort=lastName has no index',
        add('account_role_last_name_id', 'account', "'role', 'last_name', 'id'"),
      ],
      [
        'SLUICE-C405',
        '/lists/accounts?role=…&sort=emailKey has no index',
        add('account_role_email_key_id', 'account', "'role', 'email_key', 'id'"),
      ],
      [
        'SLUICE-C405',
        '/lists/keys?sort=name has no index',
        add('api_key_account_id_name_id', 'api_key', "'account_id', 'name', 'id'"),
      ],
      [
        'SLUICE-C405',
        'UnreadQuery has orders or filters, and no sortedList is read by it',
        'Name it in the options of the list, { queries: [UnreadQuery] }, or declare the members without @Sortable and @Filterable',
      ],
    ]);
  });

  it('starts in production, where a refusal would be an outage', async () => {
    const secret = 'a secret of tests, long enough to sign with';
    await expect(start({ NODE_ENV: 'production', JWT_SECRET: secret })).resolves.toBeUndefined();
  });
});

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined;
}

/** How a query is executed. */
interface Explained {
  /** Sorts of rows; those that an index has in order are none. */
  readonly sorts: number;
  /** Reads of a whole table. */
  readonly scans: number;
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

/** A node of a plan. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly Plans?: readonly PlanNode[];
}

/** The tables of tests are small: without sequential scans and sorts the plan is that of large ones. */
function explainOnPostgres(db: Database, { sql: text, parameters }: CompiledQuery): Promise<Explained> {
  return db.connection().execute(async (connection) => {
    for (const node of ['seqscan', 'sort'])
      await sql`set ${sql.raw(`enable_${node}`)} = off`.execute(connection);
    const { rows } = await connection.executeQuery<Record<string, [{ Plan: PlanNode }]>>(
      CompiledQuery.raw(`explain (format json) ${text}`, [...parameters]),
    );
    const types = rows.flatMap((row) => Object.values(row).flatMap(([{ Plan: plan }]) => typesOf(plan)));
    const count = (type: string) => types.filter((one) => one === type).length;
    return { sorts: count('Sort'), scans: count('Seq Scan') };
  });
}

function typesOf({ 'Node Type': type, Plans: children = [] }: PlanNode): string[] {
  return [type, ...children.flatMap(typesOf)];
}
