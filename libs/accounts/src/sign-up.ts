import type { Passwords } from '@app/auth';
import type { AccountRow } from '@app/persistence';
import type { AccountsStore, NewAccount } from './accounts.store';
import { addressSubject } from './attempt-subjects';
import { mapEmailTaken } from './email-taken';
import type { SignUpLimit } from './sign-up-limit';

/** A new account with its plaintext password. */
export type Credentials = Omit<NewAccount, 'passwordHash'> & { readonly password: string };

/** Creates accounts. */
export class SignUp {
  constructor(
    private readonly store: AccountsStore,
    private readonly passwords: Passwords,
    private readonly limit: SignUpLimit,
  ) {}

  /**
   * @param ip remote address, whose sign-ups are limited; absent for an operator
   * @throws EmailTakenError if another account has the e-mail
   * @throws TooManySignUpsError, HashingBusyError
   */
  async create({ password, ...account }: Credentials, ip?: string): Promise<AccountRow> {
    if (ip !== undefined) await this.limit.count(ip);
    const source = ip === undefined ? 'operator' : addressSubject(ip);
    const passwordHash = await this.passwords.hash(password, { kind: 'sign-up', source });
    return mapEmailTaken(this.store.insert({ ...account, passwordHash }));
  }
}
