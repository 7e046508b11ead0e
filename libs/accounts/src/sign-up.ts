import type { Passwords } from '@app/auth';
import { type AccountRow, type Database, inTransaction } from '@app/persistence';
import type { AccountsStore, NewAccount } from './accounts.store';
import { addressSubject } from './attempt-subjects';
import type { AuditLog } from './audit-log';
import { mapEmailTaken } from './email-taken';
import type { EmailVerification } from './email-verification/email-verification';
import type { Operator } from './operator';
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
    private readonly audit: AuditLog,
  ) {}

  /**
   * Creates an account. Where e-mails are verified, its e-mail is sent a link.
   *
   * @param by the operator who creates it; otherwise its owner does
   * @param ip remote address, whose sign-ups are limited unless an operator creates it
   * @throws EmailTakenError if another account has the e-mail
   * @throws CommonPasswordError if `PASSWORD_LIST` has the password
   * @throws TooManySignUpsError, HashingBusyError
   */
  async create({ password, ...account }: Credentials, { actorId, ip }: Operator = {}): Promise<AccountRow> {
    if (actorId === undefined && ip !== undefined) await this.limit.count(ip);
    const source = actorId !== undefined || ip === undefined ? 'operator' : addressSubject(ip);
    const passwordHash = await this.passwords.hashNew(password, { kind: 'sign-up', source });
    return mapEmailTaken(this.insert({ ...account, passwordHash }, { actorId, ip }));
  }

  private insert(account: NewAccount, operator: Operator): Promise<AccountRow> {
    return inTransaction(this.db, async (db) => {
      const made = await this.store.insert(account, db);
      await this.audit.record({ kind: 'account-made', accountId: made.id, ...operator }, db);
      if (this.verification.isOn) await this.verification.begin(made, made.email, db);
      return made;
    });
  }
}
