import { AccessTokens, AuthModule, bearerStrategy, Passwords, refuseWith } from '@app/auth';
import { Database, StoreUnavailableError } from '@app/persistence';
import { type DynamicModule, Module } from '@nestjs/common';
import { Accounts } from '../accounts';
import { AccountsStore } from '../accounts.store';
import { Administration } from '../administration';
import { AuditLog } from '../audit-log';
import { AccountDisabledError } from '../errors';
import { FirstAdministrator } from '../first-administrator';
import type { AccountsOptions } from '../options';
import { SignInController } from './sign-in.controller';

/** Accounts and the door they open: sign-in, and the guard that asks who is calling. */
@Module({})
export class AccountsModule {
  static forRoot(options: AccountsOptions): DynamicModule {
    const stores = storesModule(options);
    const guard = AuthModule.forRootAsync({
      imports: [stores],
      inject: [AccessTokens, Accounts],
      useFactory: (tokens: AccessTokens, accounts: Accounts) => ({
        strategies: [bearerStrategy({ name: 'jwt', tokens, check: (claims) => accounts.whoIs(claims) })],
        refusals: [refuseWith(AccountDisabledError), refuseWith(StoreUnavailableError)],
      }),
    });
    return {
      module: AccountsModule,
      imports: [stores, guard],
      controllers: [SignInController],
      exports: [stores],
    };
  }
}

@Module({})
class AccountStores {}

function storesModule(options: AccountsOptions): DynamicModule {
  const tokens = new AccessTokens(options.tokens);
  return {
    module: AccountStores,
    providers: [
      { provide: AccessTokens, useValue: tokens },
      { provide: Passwords, useFactory: () => new Passwords() },
      { provide: AuditLog, inject: [Database], useFactory: (db: Database) => new AuditLog(db) },
      { provide: AccountsStore, inject: [Database], useFactory: (db: Database) => new AccountsStore(db) },
      {
        provide: Accounts,
        inject: [AccountsStore, Passwords, AccessTokens],
        useFactory: (store: AccountsStore, passwords: Passwords) => new Accounts(store, passwords, tokens),
      },
      {
        provide: Administration,
        inject: [Database, AccountsStore],
        useFactory: (db: Database, store: AccountsStore) => new Administration(db, store),
      },
      {
        provide: FirstAdministrator,
        inject: [Database, AccountsStore, Passwords],
        useFactory: async (db: Database, store: AccountsStore, passwords: Passwords) => {
          const first = new FirstAdministrator(db, store, passwords, options.firstAdministrator);
          await first.prepare();
          return first;
        },
      },
    ],
    exports: [AccessTokens, Passwords, AuditLog, AccountsStore, Accounts, Administration, FirstAdministrator],
  };
}
