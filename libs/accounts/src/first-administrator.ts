import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Passwords } from '@app/auth';
import { type Database, inTransaction, UniqueViolationError } from '@app/persistence';
import type { AccountsStore } from './accounts.store';

/** Options of {@link FirstAdministrator}. */
export interface FirstAdministratorOptions {
  /** `ADMIN_EMAIL`; without it an account is generated if there is no administrator. */
  readonly email?: string;
  readonly password?: string;
  /** Directory for the file with the generated password; without it none is generated. */
  readonly folder?: string;
}

/** The administrator that was created at startup. */
export interface CreatedAdministrator {
  readonly email: string;
  /** Only if generated: the plaintext password. */
  readonly password?: string;
  /** Only if generated: the file with mode 600 that contains it. */
  readonly file?: string;
}

const generatedEmail = 'admin@sluice.local';

/** Creates an administrator at startup, if needed. */
export class FirstAdministrator {
  /** `undefined` if none was created. */
  created?: CreatedAdministrator;

  constructor(
    private readonly db: Database,
    private readonly store: AccountsStore,
    private readonly passwords: Passwords,
    private readonly options: FirstAdministratorOptions,
  ) {}

  /** Safe for concurrent starts: one process creates the account. */
  async prepare(): Promise<void> {
    const { email, password, folder } = this.options;
    if (email !== undefined && password !== undefined)
      this.created = await this.fromSettings(email, password);
    else if (folder !== undefined) this.created = await this.generate(folder);
  }

  private async fromSettings(email: string, password: string): Promise<CreatedAdministrator | undefined> {
    if ((await this.store.findByEmail(email)) !== undefined) return undefined;
    const passwordHash = await this.passwords.hash(password);
    return ignoreTaken(async () => {
      await this.store.insert({ email, passwordHash, role: 'admin' });
      return { email };
    });
  }

  private async generate(folder: string): Promise<CreatedAdministrator | undefined> {
    if (await this.store.hasAdministrator()) return undefined;
    const [email, password] = [generatedEmail, randomBytes(15).toString('base64url')];
    const passwordHash = await this.passwords.hash(password);
    return ignoreTaken(() =>
      inTransaction(this.db, async (db) => {
        if (await this.store.hasAdministrator(db)) return undefined;
        await this.store.insert({ email, passwordHash, role: 'admin' }, db);
        return { email, password, file: writeCredentials(folder, email, password) };
      }),
    );
  }
}

/** A unique violation means that another process has created the account. */
async function ignoreTaken<T>(create: () => Promise<T>): Promise<T | undefined> {
  try {
    return await create();
  } catch (error) {
    if (error instanceof UniqueViolationError) return undefined;
    throw error;
  }
}

function writeCredentials(folder: string, email: string, password: string): string {
  const file = join(folder, 'first-administrator.txt');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  rmSync(file, { force: true });
  writeFileSync(file, `${email}\n${password}\n`, { mode: 0o600, flag: 'wx' });
  return file;
}
