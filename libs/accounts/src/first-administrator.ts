import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Passwords } from '@app/auth';
import { type Database, inTransaction, UniqueViolationError } from '@app/persistence';
import type { AccountsStore } from './accounts.store';

/** Where the first administrator comes from. */
export interface FirstAdministratorOptions {
  /** The e-mail asked for; without it one is made up when nobody administers yet. */
  readonly email?: string;
  readonly password?: string;
  /** The folder beside the data, where a made-up password is written; without it none is made up. */
  readonly folder?: string;
}

/** An administrator that this start has made. */
export interface MadeAdministrator {
  readonly email: string;
  /** Only when it was made up: the password, which nothing can tell again. */
  readonly password?: string;
  /** Only when it was made up: the file of mode 600 that keeps it. */
  readonly file?: string;
}

const madeUpEmail = 'admin@sluice.local';

/** Makes sure that somebody can administer the service before the first request is taken. */
export class FirstAdministrator {
  /** What this start has made; `undefined` when there was nothing to do. */
  made?: MadeAdministrator;

  constructor(
    private readonly db: Database,
    private readonly store: AccountsStore,
    private readonly passwords: Passwords,
    private readonly options: FirstAdministratorOptions,
  ) {}

  /** Safe for several programs that start together: one makes the account, the others find it. */
  async prepare(): Promise<void> {
    const { email, password, folder } = this.options;
    if (email !== undefined && password !== undefined) this.made = await this.asAsked(email, password);
    else if (folder !== undefined) this.made = await this.madeUp(folder);
  }

  private async asAsked(email: string, password: string): Promise<MadeAdministrator | undefined> {
    if ((await this.store.findByEmail(email)) !== undefined) return undefined;
    const passwordHash = await this.passwords.hash(password);
    return unlessMade(async () => {
      await this.store.insert({ email, passwordHash, role: 'admin' });
      return { email };
    });
  }

  private async madeUp(folder: string): Promise<MadeAdministrator | undefined> {
    if (await this.store.hasAdministrator()) return undefined;
    const [email, password] = [madeUpEmail, randomBytes(15).toString('base64url')];
    const passwordHash = await this.passwords.hash(password);
    return unlessMade(() =>
      inTransaction(this.db, async (db) => {
        if (await this.store.hasAdministrator(db)) return undefined;
        await this.store.insert({ email, passwordHash, role: 'admin' }, db);
        return { email, password, file: writeDown(folder, email, password) };
      }),
    );
  }
}

/** Another program that started at the same moment may have been first: then there is nothing to do. */
async function unlessMade<T>(make: () => Promise<T>): Promise<T | undefined> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof UniqueViolationError) return undefined;
    throw error;
  }
}

function writeDown(folder: string, email: string, password: string): string {
  const file = join(folder, 'first-administrator.txt');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  rmSync(file, { force: true });
  writeFileSync(file, `${email}\n${password}\n`, { mode: 0o600, flag: 'wx' });
  return file;
}
