import { setTimeout as pause } from 'node:timers/promises';
import { authSettings, runKeysCommand } from '@app/auth';
import { mailSettings } from '@app/mail';
import type { Database, MigrationHistory } from '@app/persistence';
import type { Declarations, SettingsOf } from '@app/settings';
import { accountAudiences } from './access/audiences';
import { defaultRoles } from './account/account-roles';
import type { PluginHooks } from './account/account-hooks';
import { type AccountsModuleOptions, type AccountsProgram, accountsModule } from './accounts.module';
import { auditCheckSettings, runAuditCheckCommand } from './audit/audit-check-command';
import { type EndsAccess, Enrolments } from './factors/enrolments';
import { givenKeyFile, keyFileSettings } from './given-key-file';
import { runAdminResetCommand } from './administrators/admin-reset-command';
import { type AccountsChoices, type AccountsEnvironment, AccountsOptions } from './options';
import { accountsSettings } from './settings';

/** The options with which an application configures its accounts. */
export interface AccountsPluginOptions extends AccountsChoices, AccountsModuleOptions {}

/** The parts of a program that the commands use. */
interface CommandCall {
  readonly args: readonly string[];
  readonly print: (line: string) => void;
  readonly histories: readonly MigrationHistory[];
  readonly factors: readonly EndsAccess[];
  readonly accountHooks: PluginHooks;
  readonly readSettings: <const D extends Declarations>(declarations: D) => SettingsOf<D>;
  readonly onDatabase: (use: 'requires', run: (db: Database) => Promise<readonly string[]>) => Promise<void>;
}

/** The plugin's settings. */
const settings = { ...authSettings, ...accountsSettings, ...mailSettings };

/** Makes the plugin for users, sign-ins, sessions and API keys. Every route requires a caller unless it is public. */
export function accounts(choices: AccountsPluginOptions = {}) {
  return {
    name: 'accounts',
    settings,
    commands,
    audiences: accountAudiences(choices.roles ?? defaultRoles, choices.scopes ?? []),
    modules: (environment: AccountsEnvironment, program: AccountsProgram) => [
      accountsModule(
        new AccountsOptions(program.application, environment, choices, program.issuers),
        choices,
        program,
      ),
    ],
  };
}

const commands = [
  {
    name: 'keys',
    args: 'list | add | use | drop | rotate [--algorithm NAME] [--wait SECONDS]',
    does: 'lists or rotates the keys of access tokens, while programs run',
    run: ({ args, print, readSettings }: CommandCall) =>
      runKeysCommand({ ...givenKeyFile(readSettings(keyFileSettings)), print, pause }, args),
  },
  {
    name: 'audit:check',
    args: '[--head HASH]',
    does: 'checks whether the audit log was changed, and whether a head that was printed before is in it',
    run: async ({ args, histories, readSettings, onDatabase }: CommandCall) => {
      const retention = readSettings(auditCheckSettings);
      await onDatabase('requires', (db) => runAuditCheckCommand(db, args, histories, retention));
    },
  },
  {
    name: 'admin:reset',
    args: '--email EMAIL [--password-stdin]',
    does: 'makes an e-mail the sign-in of an administrator, with a password that is generated or read from standard input',
    run: ({ args, histories, factors, accountHooks: hooks, onDatabase }: CommandCall) =>
      onDatabase('requires', (db) =>
        runAdminResetCommand(
          db,
          args,
          { histories, enrolments: new Enrolments(factors), hooks },
          process.stdin,
        ),
      ),
  },
];
