import type { Queries } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import { AccountsStore, noPassword } from '../account/accounts.store';
import type { EnrolledFactor, SignInFactor } from '../sign-in/sign-in-factor';

/** The password of an account, with which a sign-in begins. */
@Injectable()
export class PasswordFactor implements SignInFactor {
  readonly kind = 'password';
  readonly title = 'A password';
  readonly role = 'first';

  constructor(private readonly store: AccountsStore) {}

  async list(accountId: number, db?: Queries): Promise<readonly EnrolledFactor[]> {
    const account = await this.store.findById(accountId, db);
    if (account === undefined || account.passwordHash === noPassword) return [];
    const { kind } = this;
    return [{ id: kind, kind, name: null, createdAt: account.passwordChangedAt, remaining: null }];
  }
}
