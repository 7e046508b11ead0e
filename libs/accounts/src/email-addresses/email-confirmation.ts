import { UnauthenticatedError } from '@app/auth';
import { inTransaction, Database, type Queries } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import type { AccountRow } from '../account/account.table';
import { AccountsStore } from '../account/accounts.store';
import { AuditLog } from '../audit/audit-log';
import { mapEmailConflict } from '../account/email-conflict';
import { InvalidEmailLinkError, NoPendingVerificationError } from '../errors';
import { MailTokens } from '../mails/mail-token';
import { Revocations } from '../revocation/revocations';
import { EmailLinksStore } from '../account/email-links.store';
import { type ActingCaller, checkStillSignedIn } from '../access/sign-in-check';
import { EmailVerification } from './email-verification';

/** Confirms e-mails with the tokens from mails. */
@Injectable()
export class EmailConfirmation {
  constructor(
    private readonly db: Database,
    private readonly store: AccountsStore,
    private readonly links: EmailLinksStore,
    private readonly verification: EmailVerification,
    private readonly revocations: Revocations,
    private readonly audit: AuditLog,
    private readonly tokens: MailTokens,
  ) {}

  /**
   * Sends the link again, to the e-mail that the account asked to change to, or else to its current e-mail.
   *
   * @param ip remote address
   * @throws UnauthenticatedError if the account was removed
   * @throws NoPendingVerificationError if the e-mail is verified, or this program does not verify e-mails
   * @throws TooManyEmailLinksError
   */
  async sendAgain(accountId: number, ip: string): Promise<void> {
    await this.pendingOf(accountId, this.db);
    await this.verification.countOf(accountId);
    await inTransaction(this.db, async (db) => {
      await this.store.lock(accountId, db);
      const [account, email] = await this.pendingOf(accountId, db);
      await this.verification.begin(account, email, ip, db);
    });
  }

  /**
   * Marks an e-mail as verified. A new e-mail becomes the account's e-mail, and both e-mails are notified. The caller must be
   * signed in to the account. Otherwise somebody who only reads the mail would confirm an account that an attacker created with
   * this e-mail and the attacker's password.
   *
   * @throws InvalidEmailLinkError if the token is unknown, was used, has expired, or belongs to a different account
   * @throws the {@link checkStillSignedIn} errors
   * @throws EmailConflictError if a different account has got the e-mail meanwhile
   */
  async complete(token: string, caller: ActingCaller, ip: string): Promise<void> {
    const hash = this.tokens.hashOf('email confirmation', token);
    const completion = this.revocations.inTransaction(async (db, revoke) => {
      const link = await this.links.lock('confirm', hash, db);
      await checkStillSignedIn(caller, db);
      const account = link && (await this.store.findById(link.accountId, db));
      if (link === undefined || account?.id !== caller.userId) throw new InvalidEmailLinkError();
      revoke('account', account.id);
      await this.verification.end(account.id, db);
      await this.verify(account, link.email, ip, db);
    });
    await mapEmailConflict(completion, 'token');
  }

  private async verify(account: AccountRow, email: string, ip: string, db: Queries): Promise<void> {
    const [accountId, emailVerifiedAt] = [account.id, new Date()];
    if (email === account.email) {
      await this.store.update(accountId, { emailVerifiedAt }, db);
      return this.audit.record({ kind: 'email-verified', accountId, ip }, db);
    }
    await this.store.update(accountId, { email, emailVerifiedAt }, db);
    await this.verification.tellChanged(account, { newEmail: email, ip, by: 'confirmation' }, db);
    return this.audit.record({ kind: 'email-changed', accountId, ip }, db);
  }

  private async pendingOf(id: number, db: Queries): Promise<[AccountRow, string]> {
    const account = await this.store.findById(id, db);
    if (account === undefined) throw new UnauthenticatedError();
    if (!this.verification.isOn) throw new NoPendingVerificationError();
    const pending = await this.links.findPending(id, db);
    if (pending === undefined && account.emailVerifiedAt !== null) throw new NoPendingVerificationError();
    return [account, pending ?? account.email];
  }
}
