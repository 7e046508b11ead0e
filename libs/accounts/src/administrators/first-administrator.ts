import { Passwords } from '@app/auth';
import { Database, inTransaction, type Queries, UniqueViolationError } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import { AccountsStore, type NewAccount } from '../account/accounts.store';
import { requirementOf } from '../account/password-change-requirement';
import { AuditLog } from '../audit/audit-log';
import { FirstCredentials } from './first-credentials';
import { makePassword } from './make-password';
import { AccountsOptions } from '../options';

/** The administrator that was created at startup. */
export interface CreatedAdministrator {
  readonly email: string;
  /** The plaintext password; only if it was generated. */
  readonly password?: string;
  /** The file with mode 600 that contains the password; only if it was generated. */
  readonly file?: string;
}

const generatedEmail = 'admin@sluice.local';

/** Creates an administrator at startup, unless an administrator with any e-mail already exists. */
@Injectable()
export class FirstAdministrator {
  /** The administrator that this start created; `undefined` if it created no account. */
  created?: CreatedAdministrator;
  /**
   * The configured e-mail, if its account is not an active administrator: it was removed, disabled, demoted, or is still
   * missing.
   */
  ignoredEmail?: string;

  constructor(
    private readonly db: Database,
    private readonly store: AccountsStore,
    private readonly passwords: Passwords,
    private readonly audit: AuditLog,
    private readonly credentials: FirstCredentials,
    private readonly options: AccountsOptions,
  ) {}

  /**
   * Creates the administrator if necessary. Concurrent starts are safe, also with different settings, because only a single
   * process creates the account.
   */
  async prepare(): Promise<void> {
    const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = this.options.settings;
    await this.forgetChanged();
    if (email !== undefined && password !== undefined) {
      this.created = await this.create({ email, password }, () => ({ email }));
      this.ignoredEmail = (await this.isAdministrator(email)) ? undefined : email;
    } else if (this.credentials.areKept) this.created = await this.generate();
  }

  /** Deletes the credentials file if a different program or a command has changed the password. */
  private async forgetChanged(): Promise<void> {
    const email = await this.credentials.email();
    const account = email === undefined ? undefined : await this.store.findByEmail(email);
    if (account?.passwordChangeRequiredAt === null) await this.credentials.forget(account.email);
  }

  private generate(): Promise<CreatedAdministrator | undefined> {
    const [email, password] = [generatedEmail, makePassword()];
    return this.create({ email, password, passwordChangeRequiredAt: new Date() }, () => ({
      email,
      password,
      file: this.credentials.write(email, password),
    }));
  }

  /** @param report a function that is called in the transaction that creates the account */
  private async create(
    { password, ...account }: Omit<NewAccount, 'passwordHash'> & { readonly password: string },
    report: () => CreatedAdministrator,
  ): Promise<CreatedAdministrator | undefined> {
    if (await this.store.hasAdministrator()) return undefined;
    const passwordHash = await this.passwords.hash(password);
    return ignoreTaken(() =>
      // A row that does not exist yet cannot be locked.
      inTransaction(this.db, (db) => this.insert({ ...account, passwordHash }, report, db), 'serializable'),
    );
  }

  private async insert(
    account: NewAccount,
    report: () => CreatedAdministrator,
    db: Queries,
  ): Promise<CreatedAdministrator | undefined> {
    if (await this.store.hasAdministrator(db)) return undefined;
    const administrator = { ...account, role: 'admin', emailVerifiedAt: new Date() } as const;
    const { id: accountId } = await this.store.insert(administrator, db);
    await this.audit.record(
      { kind: 'account-created', accountId, detail: { role: 'admin', ...requirementOf(account) } },
      db,
    );
    return report();
  }

  private async isAdministrator(email: string): Promise<boolean> {
    const account = await this.store.findByEmail(email);
    return account?.role === 'admin' && account.disabledAt === null;
  }
}

/**
 * Returns `undefined` on a unique violation, because a user then has the e-mail. The query before notices a process with other
 * settings.
 */
async function ignoreTaken<T>(create: () => Promise<T>): Promise<T | undefined> {
  try {
    return await create();
  } catch (error) {
    if (error instanceof UniqueViolationError) return undefined;
    throw error;
  }
}
