import type { SignInWay } from '@app/accounts';
import { type Database, type MigrationHistory, openDatabase, persistenceSettings } from '@app/persistence';
import type { SettingsOf } from '@app/settings';
import { refuseMissingStore, requireStore } from './missing-store';
import { readSettings } from '../settings/read-settings';
import { uploadSettings } from '../upload/upload-settings';

/** How a command is called. */
export interface CommandCall {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Without its name. */
  readonly args: readonly string[];
  readonly print: (line: string) => void;
  /** Of the tables that the program has. */
  readonly histories: readonly MigrationHistory[];
  /** Of the application. */
  readonly ways: readonly SignInWay[];
}

/** What a program can do instead of serving. */
export interface Command {
  /** Its arguments, as the help shows them; empty if there are none. */
  readonly args: string;
  /** The rest of a sentence that starts with its name. */
  readonly does: string;
  /** @throws Error whose message says what to do */
  readonly run: (call: CommandCall) => Promise<void>;
}

/** A command of a plugin: `npm start -- api NAME`. */
export interface NamedCommand extends Command {
  readonly name: string;
}

const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_IDS } = persistenceSettings;

/** The settings of {@link openStore}. */
export const storeSettings = { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_IDS, ...uploadSettings };

/** Whether a command needs the store to exist, or may create it as a start does, or puts another store in its place. */
export type StoreUse = 'requires' | 'creates' | 'replaces';

/** Runs on the database of the environment, without a pooler, and prints the returned lines. */
export function onDatabase(
  use: StoreUse,
  run: (
    db: Database,
    args: readonly string[],
    histories: readonly MigrationHistory[],
  ) => Promise<readonly string[]>,
): Command['run'] {
  return async ({ env, args, print, histories }) => {
    const db = openStore(use, readSettings(storeSettings, env));
    try {
      for (const line of await run(db, args, histories)) print(line);
    } finally {
      await db.destroy();
    }
  };
}

/**
 * Opens the database without a pooler; the caller destroys it.
 *
 * @throws {MissingStoreError} if it is a SQLite file that is missing, and the command may not create it
 */
export function openStore(use: StoreUse, settings: SettingsOf<typeof storeSettings>): Database {
  if (use === 'requires') requireStore(settings);
  if (use === 'creates') refuseMissingStore(settings, []);
  const { DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl, DATABASE_IDS: ids } = settings;
  return openDatabase(directUrl ?? url, { ids });
}
