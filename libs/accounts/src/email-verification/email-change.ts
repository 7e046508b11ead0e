import type { AccountRow, Queries } from '@app/persistence';
import type { AccountsStore } from '../accounts.store';
import type { AuditLog } from '../audit-log';
import { EmailTakenError } from '../errors';
import type { Actor } from '../password-change';
import type { EmailLinksStore } from './email-links.store';
import type { EmailVerification } from './email-verification';

/** Changes the e-mail of an account, at once or when the new one is confirmed. */
export class EmailChange {
  constructor(
    private readonly store: AccountsStore,
    private readonly links: EmailLinksStore,
    private readonly verification: EmailVerification,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Counts the link that a change would send, before its transaction.
   *
   * @throws TooManyEmailLinksError
   */
  async checkLimit(id: number, email: string): Promise<void> {
    if (!this.verification.isOn) return;
    const account = await this.store.findById(id);
    if (account && this.verification.isNeeded(account, email)) await this.verification.countLink(id, email);
  }

  /**
   * Changes the e-mail. If it must be confirmed, the account keeps its own until then; an earlier change that was not confirmed
   * ends, also by naming the current e-mail again.
   *
   * @param db the transaction that revokes the account
   * @throws EmailTakenError if another account has the e-mail, or its former owner may get it back
   * @throws UniqueViolationError `account_email_key_unique` if another account has got it just now
   */
  async apply(account: AccountRow, email: string, by: Actor | undefined, db: Queries): Promise<void> {
    await this.links.removePending(account.id, db);
    if (account.email === email) return;
    if (!this.verification.isNeeded(account, email)) return this.applyAtOnce(account, email, by, db);
    if ((await this.store.findByEmail(email, db)) !== undefined)
      throw new EmailTakenError('another account has this e-mail');
    await this.verification.begin(account, email, db);
    await this.record('email-change-requested', account, by, db);
  }

  private async applyAtOnce(
    account: AccountRow,
    email: string,
    by: Actor | undefined,
    db: Queries,
  ): Promise<void> {
    const isVerified = this.verification.isOn && account.emailVerifiedAt !== null;
    await this.store.update(account.id, { email, ...(isVerified && { emailVerifiedAt: new Date() }) }, db);
    await this.record('email-changed', account, by, db);
  }

  private record(
    kind: 'email-changed' | 'email-change-requested',
    { id }: AccountRow,
    by: Actor | undefined,
    db: Queries,
  ): Promise<void> {
    const actorId = by?.userId === id ? undefined : by?.userId;
    return this.audit.record({ kind, accountId: id, actorId, ip: by?.ip }, db);
  }
}
