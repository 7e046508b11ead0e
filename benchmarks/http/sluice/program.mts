import {
  accounts,
  AccountsStore,
  type Credentials,
  SignUp,
  signUpController,
  usersController,
} from '@app/accounts';
import { definePlugin, defineProgram, runProgram } from '@app/service';
import type { Provider, Type } from '@nestjs/common';
import { HomeController } from '../../../apps/api/src/home/home.controller.ts';
import { program } from '../../../apps/api/src/api.program.ts';
import { OrdersController } from '../../../apps/api/src/orders/orders.controller.ts';
import { crowdOf } from './crowd.mts';
import { ItemsController } from './items.controller.mts';

/** Signs users up like the real sign-up, but without hashing, which would dominate the measurement. */
export class SignUpUnhashed {
  constructor(private readonly store: Pick<AccountsStore, 'insert'>) {}

  create({ email, password }: Credentials) {
    return this.store.insert({ email, passwordHash: password });
  }
}

/** Runs `api` like `main.ts` with the given stores. Everything else is as in production. */
export function runApi(stores: readonly Provider[]): Promise<void> {
  const signUp = {
    provide: SignUp,
    inject: [AccountsStore],
    useFactory: (store: AccountsStore) => new SignUpUnhashed(store),
  };
  const controllers: Type[] = [HomeController, ItemsController, OrdersController];
  // In the module of accounts the stores and the sign-up are the usual ones.
  const users = accounts({
    controllers: (classes) => {
      controllers.push(signUpController(classes), usersController(classes));
      return [];
    },
  });
  const measured = definePlugin({
    name: 'measured',
    tables: program.tables,
    controllers,
    providers: () => [...stores, signUp],
    modules: () => [crowdOf(Number(process.env.CROWD ?? 0))],
  });
  return runProgram(defineProgram({ name: 'api', plugins: [users, measured] }));
}
