import {
  AccountsModule,
  AccountsStore,
  accountsOptions,
  type Credentials,
  SignUp,
  usersController,
} from '@app/accounts';
import { PersistenceModule, persistenceOptions } from '@app/persistence';
import { runProgram, type SettingsOf } from '@app/service';
import { type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import { HomeController } from '../../../apps/api/src/home/home.controller.ts';
import { program } from '../../../apps/api/src/api.program.ts';
import { OrdersController } from '../../../apps/api/src/orders/orders.controller.ts';
import { crowdOf } from './crowd.mts';
import { ItemsController } from './items.controller.mts';

/** The real sign-up without hashing, which would dominate the measurement. */
export class SignUpUnhashed {
  constructor(private readonly store: Pick<AccountsStore, 'insert'>) {}

  create({ email, password }: Credentials) {
    return this.store.insert({ email, passwordHash: password });
  }
}

@Module({})
class Api {}

/** Runs `api` as `main.ts` does, with the given stores; everything else is as in production. */
export function runApi(stores: readonly Provider[]): Promise<void> {
  return runProgram({
    name: 'api',
    tables: program.tables,
    declarations: program.declarations,
    module: (settings) => apiOn(stores, settings),
  });
}

function apiOn(
  stores: readonly Provider[],
  settings: SettingsOf<typeof program.declarations>,
): DynamicModule {
  const signUp = {
    provide: SignUp,
    inject: [AccountsStore],
    useFactory: (store: AccountsStore) => new SignUpUnhashed(store),
  };
  // In the module of accounts the stores and the sign-up are the usual ones.
  const users: Type[] = [];
  const accounts = AccountsModule.forRoot({
    ...accountsOptions(settings, 'api'),
    controllers: (classes) => {
      users.push(usersController(classes));
      return [];
    },
  });
  return {
    module: Api,
    imports: [
      PersistenceModule.forRoot(persistenceOptions(settings)),
      accounts,
      crowdOf(Number(process.env.CROWD ?? 0)),
    ],
    controllers: [HomeController, ItemsController, OrdersController, ...users],
    providers: [...stores, signUp],
  };
}
