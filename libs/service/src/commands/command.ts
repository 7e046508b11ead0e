import type { FactorDeclaration } from '@app/accounts';
import { type Database, type MigrationHistory, openDatabase, persistenceSettings } from '@app/persistence';
import type { Declarations, SettingsOf } from '@app/settings';
import { refuseMissingStore, requireStore } from './missing-store';
import { type Environment, readSettings } from '../settings/read-settings';

/** Whether a command needs the store to exist, or may create it as a start does, or puts another store in its place. */
export type StoreUse = 'requires' | 'creates' | 'replaces';

/** How a command is called. */
export interface CommandCall {
  /** The arguments after its name. */
  readonly args: readonly string[];
  readonly print: (line: string) => void;
  /** The histories of the tables that the program has. */
  readonly histories: readonly MigrationHistory[];
  /** The factors of the plugins. */
  readonly factors: readonly Pick<FactorDeclaration, 'access'>[];
  /** Reads settings of the environment. @throws SettingsError with every problem */
  readonly readSettings: <const D extends Declarations>(declarations: D) => SettingsOf<D>;
  /**
   * Runs on the database of the environment, without a pooler, and prints the returned lines. `run` also receives the folder of uploaded
   * files, if the program has one.
   *
   * @throws MissingStoreError if it is a SQLite file that is missing, and the command may not create it
   */
  readonly onDatabase: (
    use: StoreUse,
    run: (db: Database, uploads: string | undefined) => Promise<readonly string[]>,
  ) => Promise<void>;
}

/** What a program can do instead of serving: `npm start -- api NAME`. */
export interface Command {
  readonly name: string;
  /** Its arguments, as the help shows them; empty if there are none. */
  readonly args: string;
  /** The rest of a sentence that starts with its name. */
  readonly does: string;
  /** @throws Error whose message says what to do */
  readonly run: (call: CommandCall) => Promise<void>;
}

const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_IDS } = persistenceSettings;

/** The settings that say where the store is. */
const storeSettings = { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_IDS };

/** Makes what a command uses of the environment. */
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

/** @throws {MissingStoreError} */
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

/** The plugin of uploads declares the setting; a program without it has no such folder. */
function uploadFolderOf({ UPLOAD_DIR }: Declarations, env: Environment): string | undefined {
  return UPLOAD_DIR && String(readSettings({ UPLOAD_DIR }, env).UPLOAD_DIR);
}
