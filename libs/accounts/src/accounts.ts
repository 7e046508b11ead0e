import { Passwords } from '@app/auth';
import { Injectable } from '@nestjs/common';
import { FirstCredentials } from './administrators/first-credentials';
import type { AccountRow } from './account/account.table';
import { AccountsStore } from './account/accounts.store';
import { sourceOf } from './limits/attempt-subjects';
import { mapEmailConflict } from './account/email-conflict';
import { PasswordSignInRequiredError } from './errors';
import { EmailChange } from './email-addresses/email-change';
import { CurrentPassword } from './passwords/current-password';
import { PasswordChange } from './passwords/password-change';
import { checkChanged } from './passwords/unchanged-password';
import { Revocations } from './revocation/revocations';
import { type Actor, recordOf } from './access/actor';
import type { AuditEvent } from './audit/audit-log';
import { Profiles } from './profiles/profiles';
import { checkStillSignedIn } from './access/sign-in-check';

/** An account change; absent members stay unchanged. */
export interface AccountUpdate {
  readonly email?: string;
  readonly password?: string;
  /** The caller's current password, sent along with a new password. */
  readonly currentPassword?: string;
  /** Whether API keys and enrolments stay when an administrator sets a user's password; default `false`. */
  readonly keepFactors?: boolean;
  /** A validated body with profile fields. */
  readonly profile?: object;
}

/** The result of a change. */
export interface ChangedCredentials {
  /** The number of API keys that still work; only after a new password. */
  readonly activeKeys?: number;
}

/** Changes e-mails, passwords and profiles. */
@Injectable()
export class Accounts {
  constructor(
    private readonly store: AccountsStore,
    private readonly passwords: Passwords,
    private readonly currentPassword: CurrentPassword,
    private readonly passwordChange: PasswordChange,
    private readonly emailChange: EmailChange,
    private readonly revocations: Revocations,
    private readonly profiles: Profiles,
    private readonly firstCredentials: FirstCredentials,
  ) {}

  /**
   * Changes an account's given parts: its e-mail, its password and its profile. A new password revokes every sign-in except the
   * owner's current sign-in (D9). A new e-mail that must be confirmed takes effect at its confirmation (D29).
   *
   * @returns `undefined` if the account does not exist
   * @throws EmailConflictError if a different account has the e-mail
   * @throws ProfileConflictError if a different account has a unique profile value
   * @throws InvalidInputError if an account without a profile gets a profile field
   * @throws TooManyEmailLinksError
   * @throws UnchangedPasswordError if the owner must change the password, and sends the same password
   * @throws PasswordSignInRequiredError if the owner must change the password, and signed in without it
   * @throws the {@link CurrentPassword.check} errors, with a new password
   * @throws the {@link checkStillSignedIn} errors
   */
  async change(
    id: number,
    { email, password, currentPassword, keepFactors: keepsFactors, profile }: AccountUpdate,
    by?: Actor,
  ): Promise<ChangedCredentials | undefined> {
    if (email !== undefined) await this.emailChange.checkLimit(id, email, by);
    if (password !== undefined && by !== undefined) await this.currentPassword.check(currentPassword, by);
    const passwordHash = password === undefined ? undefined : await this.hashNew(id, { email, password }, by);
    let emailBefore = '';
    const change = this.revocations.inTransaction(async (db, revoke) => {
      if (by?.caller) await checkStillSignedIn(by.caller, db);
      const account = await this.store.lock(id, db);
      if (account === undefined) return undefined;
      if (passwordHash !== undefined || (email ?? account.email) !== account.email) revoke('account', id);
      const activeKeys =
        passwordHash === undefined
          ? undefined
          : await this.passwordChange.apply(account, passwordHash, { by, keepsFactors }, db);
      if (email !== undefined) await this.emailChange.apply(account, email, by, db);
      if (profile !== undefined) await this.profiles.change(id, profile, actingOn(id, by), db);
      emailBefore = account.email;
      return { activeKeys };
    });
    const changed = await this.profiles.mapConflict(mapEmailConflict(change));
    if (changed?.activeKeys !== undefined) await this.firstCredentials.forget(emailBefore);
    return changed;
  }

  private async hashNew(
    id: number,
    { email, password }: { readonly email: string | undefined; readonly password: string },
    by: Actor | undefined,
  ): Promise<string> {
    const origin = { kind: 'change', source: sourceOf(by?.client?.ip), account: String(by?.id) } as const;
    const account = await this.store.findById(id);
    if (account !== undefined && by?.id === id) {
      if (account.passwordChangeRequiredAt !== null && !by.caller?.amr?.includes('pwd'))
        throw new PasswordSignInRequiredError();
      await checkChanged(this.passwords, account, password, origin);
    }
    return this.passwords.hashNew(password, origin, emails(email, account));
  }
}

/** Returns the e-mails that the account has now and after the change. */
function emails(email: string | undefined, account: AccountRow | undefined): string[] {
  return [email, account?.email].filter((candidate) => candidate !== undefined);
}

/** Returns the audit log's columns. They name the actor unless the owner acts. */
function actingOn(id: number, by: Actor = {}): Pick<AuditEvent, 'actorId' | 'ip'> {
  return recordOf(by.id === id ? { client: by.client } : by);
}
