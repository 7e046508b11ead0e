import { runMigrateCommand } from '@app/persistence';
import { runCheckStoreCommand } from './check-store-command';
import type { Command } from './command';

/** The commands of every program. `npm run` offers the same names, in the workspace and in a packed folder. */
export const commands: readonly Command[] = [
  {
    name: 'migrate',
    args: '[--list | --check]',
    does: 'applies the pending migrations; --list lists all, --check fails if any are pending',
    run: ({ args, histories, onDatabase }) =>
      onDatabase(args.length === 0 ? 'creates' : 'requires', (db) => runMigrateCommand(db, args, histories)),
  },
  {
    name: 'check-store',
    args: '',
    does: 'checks whether the store is damaged, and changes nothing',
    run: ({ args, histories, onDatabase }) =>
      onDatabase('requires', (db) => runCheckStoreCommand(db, args, histories)),
  },
];
