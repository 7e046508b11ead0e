import type { Passwords } from '@app/auth';
import type { AccountRow, Queries } from '@app/persistence';
import type { AccountsStore } from '../accounts.store';
import { addressSubject } from '../attempt-subjects';
import { InvalidResetTokenError } from '../errors';
import type { Revocations } from '../revocation/revocations';
import type { AccessEnd } from './access-end';
import type { ResetMails } from './reset-mails';
import { mailTokenHash } from '../mails/mail-token';

/** Sets new passwords by the tokens of mails. */
export class ResetCompletion {
  constructor(
    private readonly store: AccountsStore,
    private readonly passwords: Passwords,
    private readonly revocations: Revocations,
    private readonly access: AccessEnd,
    private readonly mails: ResetMails,
  ) {}

  /**
   * Sets a new password. Every session and API key of the account ends, its sign-in locks are lifted, and the owner is told.
   *
   * @throws InvalidResetTokenError if the token is unknown, was used, or has expired; of two concurrent uses one succeeds
   * @throws HashingBusyError
   */
  async complete(token: string, password: string, ip: string): Promise<void> {
    const hash = mailTokenHash('password reset', token);
    // Before the password is hashed: an unknown token must not cost a hash.
    await this.ownerOf(hash);
    const passwordHash = await this.passwords.hashNew(password, {
      kind: 'change',
      source: addressSubject(ip),
    });
    await this.revocations.inTransaction(async (db, revoke) => {
      const account = await this.ownerOf(hash, db);
      revoke('account', account.id);
      await this.access.endAll(account, { kind: 'password-reset', ip }, db);
      const now = new Date();
      // The token was sent to the e-mail of the account, so whoever has it reads its mail.
      const change = { passwordHash, passwordChangedAt: now, emailVerifiedAt: now };
      await this.store.update(account.id, change, db);
      await this.mails.addNotice(account, ip, db);
    });
  }

  private async ownerOf(hash: string, db?: Queries): Promise<AccountRow> {
    const account = await this.store.findByResetToken(hash, db);
    if (account === undefined) throw new InvalidResetTokenError();
    return account;
  }
}
