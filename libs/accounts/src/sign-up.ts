import type { Passwords } from '@app/auth';
import { type AccountRow, type Database, inTransaction } from '@app/persistence';
import type { AccountsStore, NewAccount } from './accounts.store';
import { addressSubject } from './attempt-subjects';
import { mapEmailTaken } from './email-taken';
import type { EmailVerification } from './email-verification/email-verification';
import type { SignUpLimit } from './sign-up-limit';

/** A new account with its plaintext password. */
export type Credentials = Omit<NewAccount, 'passwordHash'> & { readonly password: string };

/** Creates accounts. */
export class SignUp {
  constructor(
    private readonly db: Database,
    private readonly store: AccountsStore,
    private readonly passwords: Passwords,
    private readonly limit: SignUpLimit,
    private readonly verification: EmailVerification,
  ) {}

  /**
   * Creates an account. Where e-mails are verified, its e-mail is sent a link.
   *
   * @param ip remote address, whose sign-ups are limited; absent for an operator
   * @throws EmailTakenError if another account has the e-mail
   * @throws CommonPasswordError if `PASSWORD_LIST` has the password
   * @throws TooManySignUpsError, HashingBusyError
   */
  async create({ password, ...account }: Credentials, ip?: string): Promise<AccountRow> {
    if (ip !== undefined) await this.limit.count(ip);
    const source = ip === undefined ? 'operator' : addressSubject(ip);
    const passwordHash = await this.passwords.hashNew(password, { kind: 'sign-up', source });
    return mapEmailTaken(this.insert({ ...account, passwordHash }));
  }

  private insert(account: NewAccount): Promise<AccountRow> {
    if (!this.verification.isOn) return this.store.insert(account);
    return inTransaction(this.db, async (db) => {
      const made = await this.store.insert(account, db);
      await this.verification.begin(made, made.email, db);
      return made;
    });
  }
}
