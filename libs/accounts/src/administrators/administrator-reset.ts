import { Passwords } from '@app/auth';
import { type Database, type Queries } from '@app/persistence';
import type { AccountRow } from '../account/account.table';
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

/** What {@link AdministratorReset} did. */
export interface ResetAdministrator {
  /** Whether there was no account with the e-mail. */
  readonly isCreated: boolean;
  /** How many sessions were revoked. */
  readonly sessions: number;
  /** How many API keys were revoked. */
  readonly keys: number;
}

type SetPassword = Pick<AccountRow, 'passwordHash' | 'passwordChangeRequiredAt'>;

/**
 * Makes an e-mail the sign-in of an administrator, by access to the database alone: for operators who have none that works.
 * Programs that run on the database end the account's access within a second, as after every revocation.
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

  /** @param enrolments those of all ways to sign in of the programs on the database */
  constructor(
    db: Database,
    private readonly enrolments: Enrolments,
  ) {
    this.store = new AccountsStore(db);
    this.sessions = new SessionsStore(db);
    this.revocations = new Revocations(db);
    this.attempts = new AttemptsStore(db);
    this.audit = new AuditLog(db, 'admin:reset');
    this.keys = new ApiKeys(db, this.audit);
    this.links = new EmailLinksStore(db);
  }

  /**
   * Sets the password and the role of the account and enables it, or creates it. Its sessions, tokens, API keys,
   * other factors and the links that were mailed end, and its sign-in lock over all addresses is lifted.
   *
   * @param email validated
   * @param password of 8 to 256 characters; one that was generated must be changed at its first use
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

  /** The e-mail becomes the operator's spelling: another spelling with the same normal form may be a mailbox of somebody else. */
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
