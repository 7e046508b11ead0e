import { authSettings } from '@app/auth';
import { mailSettings } from '@app/mail';
import { type AccountsModuleOptions, type AccountsProgram, accountsModule } from './accounts.module';
import { type AccountsChoices, type AccountsEnvironment, AccountsOptions } from './options';
import { accountsSettings } from './ways/ways.providers';

/** What an application says about its accounts. */
export interface AccountsPluginOptions extends AccountsChoices, AccountsModuleOptions {}

/** The settings of accounts. */
const settings = { ...authSettings, ...accountsSettings, ...mailSettings };

/** The plugin of users, sign-ins, sessions and API keys; every route but public ones requires a caller. */
export function accounts(choices: AccountsPluginOptions = {}) {
  return {
    name: 'accounts',
    settings,
    modules: (environment: AccountsEnvironment, program: AccountsProgram) => [
      accountsModule(new AccountsOptions(program.application, environment, choices), choices, program),
    ],
  };
}
