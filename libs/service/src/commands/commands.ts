import { setTimeout as pause } from 'node:timers/promises';
import {
  auditCheckSettings,
  enrolmentsOf,
  givenKeyFile,
  keyFileSettings,
  runAdminResetCommand,
  runAuditCheckCommand,
} from '@app/accounts';
import { runKeysCommand } from '@app/auth';
import { runMigrateCommand } from '@app/persistence';
import { readSettings } from '../settings/read-settings';
import { runBackupCommand, runRestoreCommand } from './backup-commands';
import { runCheckStoreCommand } from './check-store-command';
import { type Command, onDatabase } from './command';

/** The commands of every program, by their names. `npm run` has the same names, in the workspace and in a packed folder. */
export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  [
    'migrate',
    {
      args: '[--list | --check]',
      does: 'applies the pending migrations; --list lists all, --check fails if any are pending',
      run: (call) => onDatabase(call.args.length === 0 ? 'creates' : 'requires', runMigrateCommand)(call),
    },
  ],
  [
    'backup',
    {
      args: '[FILE]',
      does: 'backs up the store, the uploaded files and the keys, which may be in use, in a file or in BACKUP_TO',
      run: runBackupCommand,
    },
  ],
  [
    'restore',
    {
      args: 'FILE | --latest | --at TIME | --list [--identity FILE]',
      does: 'restores a backup to the store, which nothing may use',
      run: runRestoreCommand,
    },
  ],
  [
    'check-store',
    {
      args: '',
      does: 'checks whether the store is damaged, and changes nothing',
      run: onDatabase('requires', runCheckStoreCommand),
    },
  ],
  [
    'keys',
    {
      args: 'list | add | use | drop | rotate [--algorithm NAME] [--wait SECONDS]',
      does: 'lists or rotates the keys of access tokens, while programs run',
      run: ({ env, args, print }) => {
        const file = givenKeyFile(readSettings(keyFileSettings, env));
        return runKeysCommand({ ...file, print, pause }, args);
      },
    },
  ],
  [
    'audit:check',
    {
      args: '[--head HASH]',
      does: 'checks whether the audit log was changed, and whether a head that was printed before is in it',
      run: async (call) => {
        const settings = readSettings(auditCheckSettings, call.env);
        await onDatabase('requires', (db, args, histories) =>
          runAuditCheckCommand(db, args, histories, settings),
        )(call);
      },
    },
  ],
  [
    'admin:reset',
    {
      args: '--email EMAIL [--password-stdin]',
      does: 'makes an e-mail the sign-in of an administrator, with a password that is generated or read from standard input',
      run: (call) =>
        onDatabase('requires', (db, args, histories) =>
          runAdminResetCommand(db, args, { histories, enrolments: enrolmentsOf(call.ways) }, process.stdin),
        )(call),
    },
  ],
]);
