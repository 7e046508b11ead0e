import { Passwords } from '@app/auth';
import { Database, inTransaction, type Queries } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import type { AccountRow } from './account/account.table';
import { AccountsStore, type NewAccount } from './account/accounts.store';
import { type Admission, SignUpAdmission } from './account/sign-up-admission';
import { requirementOf } from './account/password-change-requirement';
import { addressSubject } from './limits/attempt-subjects';
import { AuditLog } from './audit/audit-log';
import { mapEmailConflict } from './account/email-conflict';
import { InvitationRequiredError, SignUpOffError } from './errors';
import { EmailVerification } from './email-addresses/email-verification';
import { type Actor, recordOf } from './access/actor';
import { checkStillSignedIn } from './access/sign-in-check';
import { Profiles } from './profiles/profiles';

/** A new account with its plaintext password. */
export type Credentials = Omit<NewAccount, 'passwordHash'> & {
  readonly password: string;
  /** A validated body with the profile fields; if absent, the account has no profile. */
  readonly profile?: object;
  /** The secret of an invitation, which a plugin checks. */
  readonly invitation?: string;
};

/** Creates accounts. */
@Injectable()
export class SignUp {
  constructor(
    private readonly db: Database,
    private readonly store: AccountsStore,
    private readonly passwords: Passwords,
    private readonly verification: EmailVerification,
    private readonly audit: AuditLog,
    private readonly profiles: Profiles,
    private readonly admission: SignUpAdmission,
  ) {}

  /**
   * Creates an account. Where e-mails are verified, a link is sent to its e-mail.
   *
   * @param actor the operator who creates the account, so that the password must be changed at its first use; otherwise the
   *   owner creates it, `SIGN_UP` applies, and sign-ups from the owner's address are limited
   * @throws EmailConflictError if a different account has the e-mail
   * @throws ProfileConflictError if a different account has a unique profile value
   * @throws CommonPasswordError if the settings reject the password
   * @throws SignUpOffError, or InvitationRequiredError if the invitation is invalid or missing
   * @throws TooManySignUpsError, SignInOverloadError, the {@link checkStillSignedIn} errors
   */
  async create(credentials: Credentials, actor: Actor = {}): Promise<AccountRow> {
    const { password, profile, invitation, ...account } = credentials;
    const { id: actorId, client } = actor;
    if (actorId === undefined && this.admission.isOff) throw new SignUpOffError();
    const ip = client?.ip;
    if (actorId === undefined && ip !== undefined) await this.admission.count(ip);
    const source = actorId !== undefined || ip === undefined ? 'operator' : addressSubject(ip);
    const passwordHash = await this.passwords.hashNew(password, { kind: 'sign-up', source }, [account.email]);
    const passwordChangeRequiredAt = actorId === undefined ? null : new Date();
    const stored = { ...account, passwordHash, passwordChangeRequiredAt };
    const created = this.insert(stored, { profile, invitation }, actor);
    return this.profiles.mapConflict(mapEmailConflict(created));
  }

  private insert(
    account: NewAccount,
    { profile, invitation }: Pick<Credentials, 'profile' | 'invitation'>,
    actor: Actor,
  ): Promise<AccountRow> {
    return inTransaction(this.db, async (db) => {
      if (actor.caller) await checkStillSignedIn(actor.caller, db);
      const admission = actor.id === undefined ? await this.admit(account.email, invitation, db) : undefined;
      const proven = admission?.provesEmail ? { emailVerifiedAt: new Date() } : {};
      const created = await this.store.insert({ ...account, ...proven }, db);
      await admission?.accept(created, db);
      if (profile !== undefined) await this.profiles.insert(created.id, profile, db);
      const detail = requirementOf(account);
      await this.audit.record(
        { kind: 'account-created', accountId: created.id, ...recordOf(actor), detail },
        db,
      );
      // Over the limit for the e-mail, no link is sent. Its owner can request a link later.
      if (this.verification.isOn && created.emailVerifiedAt === null)
        await this.verification.beginIfWithin(created, created.email, actor.client?.ip, db);
      return created;
    });
  }

  private async admit(email: string, invitation: string | undefined, db: Queries): Promise<Admission> {
    const admission = await this.admission.admit({ email, isEmailProven: false, invitation }, db);
    if (admission === undefined) throw new InvitationRequiredError();
    return admission;
  }
}
