import type { Passwords } from '@app/auth';
import type { AccountsStore } from './accounts.store';
import { checkNotRevoked } from './check-not-revoked';
import { mapEmailTaken } from './email-taken';
import type { EmailChange } from './email-verification/email-change';
import type { Actor, PasswordChange } from './password-change';
import type { Revocations } from './revocation/revocations';

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
   * except the owner's current one (D9). An e-mail that must be confirmed holds from then on (D29).
   *
   * @returns `undefined` if the account does not exist
   * @throws EmailTakenError if another account has the e-mail
   * @throws TooManyEmailLinksError
   * @throws UnauthenticatedError, AccountDisabledError if the owner's sign-in was revoked meanwhile
   */
  async change(
    id: number,
    { email, password }: CredentialsChange,
    by?: Actor,
  ): Promise<ChangedCredentials | undefined> {
    await this.emailChange.checkLimit(id, email);
    const passwordHash =
      password === undefined
        ? undefined
        : await this.passwords.hashNew(password, { kind: 'change', source: `account:${id}` });
    const change = this.revocations.inTransaction(async (db, revoke) => {
      if (by?.userId === id) checkNotRevoked(by, await this.store.stateOf(id, db));
      const account = await this.store.findById(id, db);
      if (account === undefined) return undefined;
      if (passwordHash !== undefined || account.email !== email) revoke('account', id);
      const activeKeys =
        passwordHash === undefined
          ? undefined
          : await this.passwordChange.apply(account, passwordHash, by, db);
      await this.emailChange.apply(account, email, by, db);
      return { activeKeys };
    });
    return mapEmailTaken(change);
  }
}
