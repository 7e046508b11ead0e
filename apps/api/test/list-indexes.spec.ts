import { randomBytes } from 'node:crypto';
import { Public } from '@app/auth';
import { ContractError, IfGiven, Returns, Schema } from '@app/contract';
import { Filterable, PaginationQuery, Sortable, sortedList } from '@app/paging';
import { Database } from '@app/persistence';
import { migratedDatabase, type TemporaryDatabase } from '@app/persistence/testing';
import { createProgram, readSettings, schemasOf } from '@app/service';
import { explain } from '@app/service/testing';
import { Controller, Get, Query } from '@nestjs/common';
import { Exclude, Expose } from 'class-transformer';
import { IsIn } from 'class-validator';
import { program } from '../src/api.program';
import { bootApi } from '../testing/boot-api';

/** The orders that a program declares are read in its promises. */
describe('the index of an order', () => {
  const api = bootApi();

  it('is missed if there is none', async () => {
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
    database = await migratedDatabase(schemasOf(program).all);
  });
  afterAll(() => database.remove());

  async function start(env: Readonly<Record<string, string>> = {}) {
    const settings = readSettings(program.declarations, {
      DATABASE_URL: database.url,
      JWT_SECRET: randomBytes(32).toString('base64url'),
      ...env,
    });
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
