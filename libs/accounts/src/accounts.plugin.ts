import { authSettings, type Strategy } from '@app/auth';
import { mailSettings } from '@app/mail';
import type { InjectionToken, Provider } from '@nestjs/common';
import { AccountsModule, type AccountsModuleOptions } from './accounts.module';
import { type AccountsEnvironment, accountsOptions } from './options';
import type { SignInWay } from './ways/way.providers';
import { accountsSettings } from './ways/ways.providers';

/** What an application says about its accounts. */
export type AccountsPluginOptions = Pick<
  AccountsModuleOptions,
  'controllers' | 'longestTokenSeconds' | 'mails' | 'profile' | 'roles' | 'scopes'
>;

/** What the other plugins of the program give. */
interface AccountsProgram {
  readonly application: string;
  readonly ways: readonly SignInWay[];
  readonly strategies: readonly { readonly provide: InjectionToken<Strategy> }[];
  readonly providers: readonly Provider[];
}

/** The settings of accounts. */
const settings = { ...authSettings, ...accountsSettings, ...mailSettings };

/** The plugin of users, sign-ins, sessions and API keys; every route but public ones requires a caller. */
export function accounts(options: AccountsPluginOptions = {}) {
  return {
    name: 'accounts',
    settings,
    modules: (
      environment: AccountsEnvironment,
      { application, ways, strategies, providers }: AccountsProgram,
    ) => [
      AccountsModule.forRoot({
        ...accountsOptions(environment, application),
        ...options,
        ways,
        providers,
        strategies: {
          inject: strategies.map(({ provide }) => provide),
          useFactory: (...made: Strategy[]) => made,
        },
      }),
    ],
  };
}
