import { AccessTokens, AuthModule, bearerStrategy } from '@app/auth';
import {
  Database,
  PersistenceModule,
  persistenceOptions,
  persistenceSettings,
  type Queries,
} from '@app/persistence';
import { baseSchema, sampleSchema } from '@app/persistence/testing';
import { Returns } from '@app/contract';
import { Idempotent, runProgram, serviceSettings, Transaction } from '@app/service';
import { Controller, Module, Post } from '@nestjs/common';

const tokens = new AccessTokens({ secret: 'a secret of tests, long enough to sign with', ttlSeconds: 600 });

/** A controller that tells the test before it would send a response, and then does not send it. */
@Controller('items')
class ItemsController {
  constructor(private readonly db: Database) {}

  @Post()
  @Idempotent()
  @Returns('text')
  async create(@Transaction() db: Queries = this.db): Promise<string> {
    const { id } = await db
      .insertInto('sampleProduct')
      .values({ sku: `sku of ${process.pid}`, name: 'Tea', price: 5 })
      .returning('id')
      .executeTakeFirstOrThrow();
    return `made ${id}`;
  }
}

@Module({ controllers: [ItemsController] })
class UnansweredModule {}

void runProgram({
  name: sampleSchema.owner,
  tables: [...baseSchema.tables, ...sampleSchema.tables],
  declarations: { ...serviceSettings, ...persistenceSettings },
  module: (settings) => ({
    module: UnansweredModule,
    imports: [
      PersistenceModule.forRoot(persistenceOptions(settings)),
      AuthModule.forRootAsync({
        useFactory: () => ({
          strategies: [bearerStrategy({ name: 'jwt', tokens, check: ({ sub }) => ({ userId: sub }) })],
        }),
      }),
    ],
  }),
  plugins: (server) => {
    server.addHook('onSend', async (request, reply) => {
      if (request.method !== 'POST' || reply.getHeader('idempotent-replayed') !== undefined) return;
      process.send?.('unanswered');
      await new Promise(() => undefined);
    });
  },
});
