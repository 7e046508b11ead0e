import type { Passwords } from '@app/auth';
import type { AccountsStore } from './account/accounts.store';
import { sourceOf } from './limits/attempt-subjects';
import { mapEmailConflict } from './account/email-conflict';
import type { EmailChange } from './emails/email-change';
import type { Actor, PasswordChange } from './passwords/password-change';
import type { Revocations } from './revocation/revocations';
import { checkStillSignedIn } from './access/sign-in-check';

/** New credentials of an account. */
export interface CredentialsChange {
  readonly email: string;
  readonly password?: string;
}

/** What a change resulted in. */
export interface ChangedCredentials {
  /** After a new password: how many API keys still work. */
  readonly activeKeys?: number;
}

/** Changes of e-mail and password. */
export class Accounts {
  constructor(
    private readonly store: AccountsStore,
    private readonly passwords: Passwords,
    private readonly passwordChange: PasswordChange,
    private readonly emailChange: EmailChange,
    private readonly revocations: Revocations,
  ) {}

  /**
   * Changes the e-mail of an account, and its password if one is given; a new password revokes every sign-in of the account
   * except the owner's current one (D9). An e-mail that must be confirmed takes effect when it is (D29).
   *
   * @returns `undefined` if the account does not exist
   * @throws EmailConflictError if another account has the e-mail
   * @throws TooManyEmailLinksError
   * @throws the errors of {@link checkStillSignedIn}
   */
  async change(
    id: number,
    { email, password }: CredentialsChange,
    by?: Actor,
  ): Promise<ChangedCredentials | undefined> {
    await this.emailChange.checkLimit(id, email, by);
    const passwordHash =
      password === undefined
        ? undefined
        : await this.passwords.hashNew(password, {
            kind: 'change',
            source: sourceOf(by?.ip),
            account: String(by?.userId),
          });
    const change = this.revocations.inTransaction(async (db, revoke) => {
      if (by !== undefined) await checkStillSignedIn(by, db);
      const account = await this.store.lock(id, db);
      if (account === undefined) return undefined;
      if (passwordHash !== undefined || account.email !== email) revoke('account', id);
      const activeKeys =
        passwordHash === undefined
          ? undefined
          : await this.passwordChange.apply(account, passwordHash, by, db);
      await this.emailChange.apply(account, email, by, db);
      return { activeKeys };
    });
    return mapEmailConflict(change);
  }
}
