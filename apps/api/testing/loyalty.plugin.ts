import {
  AccountsStore,
  AuditLog,
  exportPart,
  type FactorProof,
  type SignedInUser,
  type SignInFactor,
} from '@app/accounts';
import { apiKeyStrategy, Caller, facet, type Strategy, UseStrategy } from '@app/auth';
import { Returns, Schema } from '@app/contract';
import { httpError } from '@app/http-errors';
import {
  acrossTenants,
  type Columns,
  Database,
  defineTable,
  jobOf,
  type MigrationContext,
} from '@app/persistence';
import { definePlugin, healthCheck } from '@app/service';
import { count } from '@app/settings';
import { Controller, Get, Injectable, Post } from '@nestjs/common';
import { Exclude, Expose } from 'class-transformer';
import type { Generated, Selectable } from 'kysely';

/** A stamp on the loyalty card of an account. */
interface StampTable {
  id: Generated<number>;
  accountId: number;
  createdAt: Generated<Date>;
}

declare module '@app/persistence' {
  interface Tables {
    stamp: StampTable;
  }
}

declare module '@app/accounts' {
  interface OwnAuditKinds {
    'card-stamped': true;
  }
}

const stampTable = defineTable('stamp', {
  secrecy: { id: 'open', accountId: 'open', createdAt: 'open' },
  exported: { part: 'stamps' },
  migrations: { '0001-stamps': { apply: createStamp, tookMs: { sqlite: 1, postgres: 1 } } },
});

async function createStamp(
  db: MigrationContext,
  { integer, timestamp, id, now, strictTypes }: Columns,
): Promise<void> {
  await db.schema
    .createTable('stamp')
    .$call(strictTypes)
    .addColumn('id', integer, id)
    .addColumn('account_id', integer, (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('created_at', timestamp, (column) => column.notNull().defaultTo(now))
    .execute();
  await db.schema.createIndex('stamp_account_id_id').on('stamp').columns(['account_id', 'id']).execute();
}

/** The number of stamps that fill a card. */
class CardSize {
  constructor(readonly stamps: number) {}
}

@Injectable()
class StampsStore {
  constructor(
    private readonly db: Database,
    private readonly audit: AuditLog,
  ) {}

  async add(accountId: number): Promise<void> {
    await this.db.insertInto('stamp').values({ accountId }).execute();
    await this.audit.record({ kind: 'card-stamped', accountId });
  }

  async forgetOld(): Promise<void> {
    await this.db.deleteFrom('stamp').where('createdAt', '<', new Date(0)).execute();
  }

  list(accountId: number): Promise<Selectable<StampTable>[]> {
    return this.db.selectFrom('stamp').selectAll().where('accountId', '=', accountId).orderBy('id').execute();
  }
}

/** A stamp as its owner sees it. */
@Exclude()
class Stamp {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  /** ISO 8601, UTC, with milliseconds. */
  @Expose() createdAt!: Date;
}

/** A loyalty card. */
@Exclude()
class Card {
  @Expose() @Schema({ type: 'integer' }) stamps!: number;
  @Expose() @Schema({ type: 'integer' }) size!: number;
}

/** The caller is not a member of the shop. */
const NotMemberError = httpError('NotMemberError', 403, 'not-a-member', {
  title: 'The caller is not a member',
  remedy: 'Sign in with an address of the shop.',
  log: 'The caller is not a member.',
  reply: 'members only',
});

const member = facet<true>({
  name: 'needsMember',
  decorator: '@Member()',
  error: NotMemberError,
  isMet: ({ username }) => typeof username === 'string' && username.startsWith('member-'),
  description: () => '403 unless the caller is a member of the shop.',
  summary: () => 'member',
});

@Controller('cards')
class CardsController {
  constructor(
    private readonly stamps: StampsStore,
    private readonly size: CardSize,
  ) {}

  /** Stamps the caller's card. */
  @Post('current/stamps')
  @member.set(true)
  @Returns(Card)
  async stamp(@Caller() { userId }: SignedInUser): Promise<Card> {
    await this.stamps.add(userId);
    return { stamps: (await this.stamps.list(userId)).length, size: this.size.stamps };
  }

  /** Returns the card of the terminal. */
  @Get('terminal')
  @UseStrategy('terminal')
  @Returns(Card)
  terminal(): Card {
    return { stamps: 0, size: this.size.stamps };
  }
}

/** A factor that checks the number of a plastic card. Accounts with a first name have a card. */
@Injectable()
class CardFactor implements SignInFactor {
  readonly kind = 'card';
  readonly title = 'A card';
  readonly role = 'second';

  constructor(private readonly accounts: AccountsStore) {}

  async list(accountId: number) {
    const name = (await this.accounts.findById(accountId))?.firstName ?? null;
    return name === null ? [] : [{ id: 'card', kind: 'card', name, createdAt: null, remaining: null }];
  }

  async verify(_accountId: number, { code }: FactorProof) {
    return code === 'card-42' ? ['otp'] : undefined;
  }
}

abstract class TerminalStrategy implements Strategy {
  abstract readonly name: string;
  abstract authenticate(request: Parameters<Strategy['authenticate']>[0]): unknown;
}

/** A plugin with every kind of part. */
/** The reason for statements on all tenants' rows. */
export const stampReport = acrossTenants('counts the stamps of every shop');

export const loyalty = definePlugin({
  name: 'loyalty',
  settings: {
    CARD_SIZE: count({ from: 1, to: 100 }).default(10).describe('How many stamps fill a loyalty card.'),
  },
  tables: [stampTable],
  controllers: [CardsController],
  providers: ({ CARD_SIZE }) => [
    StampsStore,
    CardFactor,
    { provide: CardSize, useValue: new CardSize(CARD_SIZE) },
    {
      provide: TerminalStrategy,
      useFactory: () =>
        apiKeyStrategy({
          name: 'terminal',
          header: 'X-Terminal',
          check: (key) => (key === 'till-1' ? { id: 0, username: 'till-1', role: 'user' } : undefined),
        }),
    },
  ],
  factors: [
    {
      kind: 'card',
      provide: CardFactor,
      access: { nothingEnrolled: 'the first name of the account stands for the card' },
      scopedCallers: ['POST /cards/current/stamps', 'GET /cards/terminal'],
      limit: 'failed-sign-ins',
      challenges: 'none',
      rows: { nothingStored: 'the account has the first name' },
    },
  ],
  strategies: [{ name: 'terminal', provide: TerminalStrategy }],
  facets: [member],
  commands: [
    {
      name: 'stamps:count',
      args: '',
      does: 'prints how many stamps there are',
      run: ({ onDatabase }) =>
        onDatabase('requires', async (db) => {
          const { stamps } = await db
            .selectFrom('stamp')
            .select((sql) => sql.fn.countAll<number | string>().as('stamps'))
            .executeTakeFirstOrThrow();
          return [`stamps: ${stamps}`];
        }),
    },
  ],
  exports: [
    exportPart(StampsStore, {
      name: 'stamps',
      as: Stamp,
      read: (stamps, accountId, { after }) =>
        after === undefined ? stamps.list(accountId) : Promise.resolve([]),
    }),
  ],
  jobs: [jobOf('old-stamps', StampsStore, (stamps) => ({ run: () => stamps.forgetOld() }))],
  health: [healthCheck('cards', CardSize, async ({ stamps }) => stamps < 50)],
  auditKinds: ['card-stamped'],
  acrossTenants: [stampReport],
  server: (server) => {
    server.addHook('onSend', async (_request, reply) => {
      void reply.header('X-Loyalty', 'on');
    });
  },
});
