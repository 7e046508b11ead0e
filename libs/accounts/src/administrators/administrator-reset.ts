import { Passwords } from '@app/auth';
import { type Database, type Queries } from '@app/persistence';
import type { AccountRow } from '../account/account.table';
import { AccountHookRunner, type PluginHooks } from '../account/account-hooks';
import { AccountsStore } from '../account/accounts.store';
import { requirementOf } from '../account/password-change-requirement';
import { ApiKeys } from '../api-keys/api-keys';
import type { Enrolments } from '../factors/enrolments';
import { accountSubject } from '../limits/attempt-subjects';
import { AttemptsStore } from '../limits/attempts.store';
import { AuditLog } from '../audit/audit-log';
import { forgetDevices } from '../devices/known-devices';
import { EmailLinksStore } from '../account/email-links.store';
import { Revocations, type Revoke } from '../revocation/revocations';
import { SessionsStore } from '../sessions/sessions.store';

/** The {@link AdministratorReset} result. */
export interface ResetAdministrator {
  /** Whether the account was created because no account had the e-mail. */
  readonly isCreated: boolean;
  /** The number of revoked sessions. */
  readonly sessions: number;
  /** The number of revoked API keys. */
  readonly keys: number;
}

type SetPassword = Pick<AccountRow, 'passwordHash' | 'passwordChangeRequiredAt'>;

/**
 * Makes an e-mail an administrator's sign-in. It needs only the database. It is for operators who have no working sign-in.
 * Running programs end the account's access within a second, as after every revocation.
 */
export class AdministratorReset {
  private readonly store: AccountsStore;
  private readonly sessions: SessionsStore;
  private readonly revocations: Revocations;
  private readonly attempts: AttemptsStore;
  private readonly audit: AuditLog;
  private readonly keys: ApiKeys;
  private readonly links: EmailLinksStore;
  private readonly passwords = new Passwords();

  /**
   * @param enrolments the enrolments for all sign-in ways that the programs on the database use
   * @param hooks the plugins' hooks
   */
  constructor(
    db: Database,
    private readonly enrolments: Enrolments,
    hooks: PluginHooks = {},
  ) {
    this.store = new AccountsStore(db, new AccountHookRunner(hooks));
    this.sessions = new SessionsStore(db);
    this.revocations = new Revocations(db);
    this.attempts = new AttemptsStore(db);
    this.audit = new AuditLog(db, 'admin:reset');
    this.keys = new ApiKeys(db, this.audit);
    this.links = new EmailLinksStore(db);
  }

  /**
   * Sets the account's password and role and enables it, or creates the account. Ends its sessions, tokens, API keys, other
   * factors and mailed links, and lifts its sign-in lock over all addresses.
   *
   * @param email a validated e-mail
   * @param password 8 to 256 characters; a generated password must be changed at its first use
   */
  async reset(
    email: string,
    password: string,
    { isGenerated = false }: { readonly isGenerated?: boolean } = {},
  ): Promise<ResetAdministrator> {
    const credentials = {
      passwordHash: await this.passwords.hash(password),
      passwordChangeRequiredAt: isGenerated ? new Date() : null,
    };
    const done = await this.revocations.inTransaction(async (db, revoke) => {
      const account = await this.store.lockByEmail(email, db);
      await this.attempts.remove([accountSubject(email)], db);
      await this.links.removeReservations(email, db);
      return account === undefined
        ? this.create(email, credentials, db)
        : this.restore(account, email, credentials, db, revoke);
    });
    await this.revocations.announce();
    return done;
  }

  private async create(email: string, credentials: SetPassword, db: Queries): Promise<ResetAdministrator> {
    const account = { email, role: 'admin', emailVerifiedAt: new Date(), ...credentials };
    const { id } = await this.store.insert(account, db);
    return this.record(id, { isCreated: true, sessions: 0, keys: 0 }, credentials, db);
  }

  /**
   * Resets an existing account. Its e-mail gets the operator's spelling, because a different spelling with the same normal form
   * may be somebody else's mailbox.
   */
  private async restore(
    { id }: AccountRow,
    email: string,
    credentials: SetPassword,
    db: Queries,
    revoke: Revoke,
  ): Promise<ResetAdministrator> {
    revoke('account', id);
    await this.store.incrementTokenGeneration(id, undefined, db);
    const sessions = await this.sessions.removeAllOf(id, undefined, db);
    const keys = await this.keys.removeAllOf(id, db);
    await this.links.removeAllOf(id, db);
    await this.enrolments.endAll(id, db);
    await forgetDevices(id, db);
    const restored = {
      email,
      role: 'admin',
      disabledAt: null,
      ...credentials,
      passwordChangedAt: new Date(),
      emailVerifiedAt: new Date(),
    } as const;
    await this.store.update(id, restored, db);
    return this.record(id, { isCreated: false, sessions: sessions.length, keys }, credentials, db);
  }

  private async record(
    accountId: number,
    done: ResetAdministrator,
    credentials: SetPassword,
    db: Queries,
  ): Promise<ResetAdministrator> {
    const detail = { ...done, ...requirementOf(credentials) };
    await this.audit.record({ kind: 'administrator-reset', accountId, detail }, db);
    return done;
  }
}
