import type { Strategy } from '@app/auth';
import type { InjectionToken, ModuleMetadata, OptionalFactoryDependency } from '@nestjs/common';
import type { AccountMails } from '../mails/account-mails';
import type { AccountsOptions } from '../options';
import type { FactorsFactory } from './factors-factory';

/** Makes further strategies from providers; the providers of accounts can be injected without an import. */
export interface StrategiesFactory {
  readonly imports?: ModuleMetadata['imports'];
  readonly inject?: (InjectionToken | OptionalFactoryDependency)[];
  // The arguments are those that `inject` names, which a type cannot express.
  readonly useFactory: (...injected: never[]) => readonly Strategy[] | Promise<readonly Strategy[]>;
}

/** Options of `AccountsModule.forRoot()`. */
export interface AccountsModuleOptions extends AccountsOptions {
  /** Strategies of the application, beside `jwt` (the default) and `api-key`. */
  readonly strategies?: StrategiesFactory;
  /** What a sign-in proves in addition to the password. */
  readonly factors?: FactorsFactory;
  /** Scopes of API keys, besides `read` and `write`, which include them: `items:read`. */
  readonly scopes?: readonly string[];
  /** Texts of mails, in place of the default ones. */
  readonly mails?: Partial<AccountMails>;
}
