import { type AccountRow, inTransaction, type Database, type Queries } from '@app/persistence';
import type { AccountsStore } from '../accounts.store';
import type { AuditLog } from '../audit-log';
import { mapEmailTaken } from '../email-taken';
import { emailKey } from '../emails';
import { InvalidEmailLinkError, NothingToVerifyError } from '../errors';
import { mailTokenHash } from '../mails/mail-token';
import type { Revocations } from '../revocation/revocations';
import type { EmailLinksStore } from './email-links.store';
import type { EmailMails } from './email-mails';
import type { EmailVerification } from './email-verification';

/** Confirms e-mails by the tokens of mails. */
export class EmailConfirmation {
  constructor(
    private readonly db: Database,
    private readonly store: AccountsStore,
    private readonly links: EmailLinksStore,
    private readonly verification: EmailVerification,
    private readonly mails: EmailMails,
    private readonly revocations: Revocations,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Sends the link again: for the e-mail that the account asked to change to, or else for its own.
   *
   * @throws NothingToVerifyError if the e-mail is verified, or this program verifies none
   * @throws TooManyEmailLinksError
   */
  async sendAgain(accountId: number): Promise<void> {
    const [account, email] = await this.pendingOf(accountId, this.db);
    await this.verification.countLink(accountId, email);
    await inTransaction(this.db, (db) => this.verification.begin(account, email, db));
  }

  /**
   * Marks an e-mail as verified. If it is a new one, the account gets it, and the one of before is told.
   *
   * @throws InvalidEmailLinkError if the token is unknown, was used, or has expired
   * @throws EmailTakenError if another account has got the e-mail meanwhile
   */
  async complete(token: string, ip: string): Promise<void> {
    const hash = mailTokenHash('email confirmation', token);
    const completion = this.revocations.inTransaction(async (db, revoke) => {
      const link = await this.links.find('confirm', hash, db);
      const account = link && (await this.store.findById(link.accountId, db));
      if (link === undefined || account === undefined) throw new InvalidEmailLinkError();
      revoke('account', account.id);
      await this.links.removePending(account.id, db);
      await this.verify(account, link.email, ip, db);
    });
    await mapEmailTaken(completion, 'token');
  }

  private async verify(account: AccountRow, email: string, ip: string, db: Queries): Promise<void> {
    const [accountId, emailVerifiedAt] = [account.id, new Date()];
    if (emailKey(email) === account.emailKey) {
      await this.store.update(accountId, { emailVerifiedAt }, db);
      return this.audit.record({ kind: 'email-verified', accountId, ip }, db);
    }
    await this.verification.checkFree(email, { accountId, member: 'token' }, db);
    await this.store.update(accountId, { email, emailVerifiedAt }, db);
    await this.mails.addChanged(account, { newEmail: email, ip }, db);
    return this.audit.record({ kind: 'email-changed', accountId, ip }, db);
  }

  private async pendingOf(id: number, db: Queries): Promise<[AccountRow, string]> {
    const account = await this.store.findById(id, db);
    if (account === undefined || !this.verification.isOn) throw new NothingToVerifyError();
    const pending = await this.links.findPending(id, db);
    if (pending === undefined && account.emailVerifiedAt !== null) throw new NothingToVerifyError();
    return [account, pending ?? account.email];
  }
}
