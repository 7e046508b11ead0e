import type { FactorDeclaration, PluginHooks } from '@app/accounts';
import { type Database, type MigrationHistory, openDatabase, persistenceSettings } from '@app/persistence';
import type { Declarations, SettingsOf } from '@app/settings';
import { refuseMissingStore, requireStore } from './missing-store';
import { type Environment, readSettings } from '../settings/read-settings';

/** The way a command uses the store: it requires the store, may create it as a start does, or replaces it. */
export type StoreUse = 'requires' | 'creates' | 'replaces';

/** The arguments and functions that a command receives. */
export interface CommandCall {
  /** The arguments after the command's name. */
  readonly args: readonly string[];
  readonly print: (line: string) => void;
  /** The migration histories of the program's tables. */
  readonly histories: readonly MigrationHistory[];
  /** The plugins' factors. */
  readonly factors: readonly Pick<FactorDeclaration, 'access'>[];
  /** The hooks of the plugins on accounts. */
  readonly accountHooks: PluginHooks;
  /** Reads settings from the environment. @throws SettingsError with every problem */
  readonly readSettings: <const D extends Declarations>(declarations: D) => SettingsOf<D>;
  /**
   * Runs a function on the environment's database, bypassing a pooler, and prints the lines that it returns. `run` also receives
   * the upload folder, if the program has an upload folder.
   *
   * @throws MissingStoreError if the SQLite file is missing and the command may not create it
   */
  readonly onDatabase: (
    use: StoreUse,
    run: (db: Database, uploads: string | undefined) => Promise<readonly string[]>,
  ) => Promise<void>;
}

/** A command that a program runs instead of serving: `npm start -- api NAME`. */
export interface Command {
  readonly name: string;
  /** The arguments as the help shows them. Empty if the command takes no arguments. */
  readonly args: string;
  /** The rest of a help sentence that starts with the command's name. */
  readonly does: string;
  /** Runs the command. @throws Error that says in its message how to fix the problem */
  readonly run: (call: CommandCall) => Promise<void>;
}

const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_IDS } = persistenceSettings;

/** The settings that say where the store is. */
const storeSettings = { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_IDS };

/** Makes the functions that a command uses to reach the environment. */
export function commandUses(
  env: Environment,
  ofProgram: Declarations,
  print: CommandCall['print'],
): Pick<CommandCall, 'onDatabase' | 'print' | 'readSettings'> {
  return {
    print,
    readSettings: (declarations) => readSettings(declarations, env),
    onDatabase: async (use, run) => {
      const settings = readSettings(storeSettings, env);
      const uploads = uploadFolderOf(ofProgram, env);
      const db = openStore(use, settings, uploads);
      try {
        for (const line of await run(db, uploads)) print(line);
      } finally {
        await db.destroy();
      }
    },
  };
}

/** Opens the environment's store for a command. @throws {MissingStoreError} */
function openStore(
  use: StoreUse,
  settings: SettingsOf<typeof storeSettings>,
  uploads: string | undefined,
): Database {
  if (use === 'requires') requireStore({ ...settings, UPLOAD_DIR: uploads });
  if (use === 'creates') refuseMissingStore({ ...settings, UPLOAD_DIR: uploads }, []);
  const { DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl, DATABASE_IDS: ids } = settings;
  return openDatabase(directUrl ?? url, { ids });
}

/** Returns the upload folder, or `undefined` for a program without the uploads plugin, which declares the setting. */
function uploadFolderOf({ UPLOAD_DIR }: Declarations, env: Environment): string | undefined {
  return UPLOAD_DIR && String(readSettings({ UPLOAD_DIR }, env).UPLOAD_DIR);
}
