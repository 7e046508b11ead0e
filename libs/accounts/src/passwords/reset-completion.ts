import { Passwords } from '@app/auth';
import { Injectable } from '@nestjs/common';
import type { AccountRow } from '../account/account.table';
import { AccountsStore } from '../account/accounts.store';
import { addressSubject } from '../limits/attempt-subjects';
import { InvalidResetTokenError } from '../errors';
import { Revocations } from '../revocation/revocations';
import { AccessRevocation } from './access-revocation';
import { Mailer } from '../mails/mailer';
import { MailTokens } from '../mails/mail-token';
import { checkChanged } from './unchanged-password';

/** Sets new passwords by mailed tokens. */
@Injectable()
export class ResetCompletion {
  constructor(
    private readonly store: AccountsStore,
    private readonly passwords: Passwords,
    private readonly revocations: Revocations,
    private readonly access: AccessRevocation,
    private readonly mailer: Mailer,
    private readonly tokens: MailTokens,
  ) {}

  /**
   * Sets a new password. It revokes every session and API key, lifts the sign-in locks, and notifies the owner.
   *
   * @throws InvalidResetTokenError if the token is unknown, used or expired; only a single concurrent use succeeds
   * @throws UnchangedPasswordError, SignInOverloadError
   */
  async complete(token: string, password: string, ip: string): Promise<void> {
    const hash = this.tokens.hashOf('password reset', token);
    // Before the password is hashed: an unknown token must not cost a hash.
    const owner = ownerOr(await this.store.findByResetToken(hash));
    const origin = { kind: 'change', source: addressSubject(ip) } as const;
    await checkChanged(this.passwords, owner, password, origin);
    const passwordHash = await this.passwords.hashNew(password, origin, [owner.email]);
    await this.revocations.inTransaction(async (db, revoke) => {
      const account = ownerOr(await this.store.lockByResetToken(hash, db));
      revoke('account', account.id);
      await this.access.revokeAll(account, { kind: 'password-reset', ip }, db);
      const now = new Date();
      // The token was sent to the e-mail of the account, so whoever has it reads its mail.
      const change = {
        passwordHash,
        passwordChangedAt: now,
        passwordChangeRequiredAt: null,
        emailVerifiedAt: now,
      };
      await this.store.update(account.id, change, db);
      const { email } = account;
      await this.mailer.send('passwordWasReset', { account, ip }, { email, ip, at: now }, db);
    });
  }
}

function ownerOr(account: AccountRow | undefined): AccountRow {
  if (account === undefined) throw new InvalidResetTokenError();
  return account;
}
