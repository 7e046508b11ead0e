import { type Database, type MigrationHistory, openDatabase, persistenceSettings } from '@app/persistence';
import { readSettings } from '../settings/read-settings';

/** How a command is called. */
export interface CommandCall {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Without its name. */
  readonly args: readonly string[];
  readonly print: (line: string) => void;
  /** Of the tables that the program has. */
  readonly histories: readonly MigrationHistory[];
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

const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_IDS } = persistenceSettings;

/** Runs on the database of the environment, without a pooler, and prints the returned lines. */
export function onDatabase(
  run: (
    db: Database,
    args: readonly string[],
    histories: readonly MigrationHistory[],
  ) => Promise<readonly string[]>,
): Command['run'] {
  return async ({ env, args, print, histories }) => {
    const settings = readSettings({ DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_IDS }, env);
    const { DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl, DATABASE_IDS: ids } = settings;
    const db = openDatabase(directUrl ?? url, { ids });
    try {
      for (const line of await run(db, args, histories)) print(line);
    } finally {
      await db.destroy();
    }
  };
}
