import type { Queries } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import type { AccountRow } from '../account/account.table';
import { AccountsStore } from '../account/accounts.store';
import { AuditLog } from '../audit/audit-log';
import { EmailConflictError } from '../errors';
import { type Actor, recordOf } from '../access/actor';
import { EmailLinksStore } from '../account/email-links.store';
import { EmailVerification } from './email-verification';

/** Changes an account's e-mail, either at once or when the new e-mail is confirmed. */
@Injectable()
export class EmailChange {
  constructor(
    private readonly store: AccountsStore,
    private readonly links: EmailLinksStore,
    private readonly verification: EmailVerification,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Counts the link that a change will send, to the new or to the former e-mail. Call it before the transaction.
   *
   * @throws TooManyEmailLinksError
   */
  async checkLimit(id: number, email: string, by: Actor | undefined): Promise<void> {
    if (by !== undefined && by.id !== id) return;
    const account = await this.store.findById(id);
    // A different spelling may also be a different mailbox.
    if (account && email !== account.email) await this.verification.countOf(id);
  }

  /**
   * Changes the e-mail. If the new e-mail must be confirmed, the account keeps its current e-mail until then. An earlier,
   * unconfirmed change is dropped, also if the given e-mail is the current e-mail. A change by an operator takes effect at once
   * and revokes every earlier link, so that nobody undoes the operator's decision.
   *
   * @param db the transaction that revokes the account
   * @throws EmailConflictError if a different account has the e-mail, or its former owner may get it back
   * @throws TooManyEmailLinksError
   * @throws UniqueViolationError `account_email_key_unique` if a different account has just got it
   */
  async apply(account: AccountRow, email: string, by: Actor | undefined, db: Queries): Promise<void> {
    const isOperators = by !== undefined && by.id !== account.id;
    await (isOperators ? this.links.removeAllOf(account.id, db) : this.links.removePending(account.id, db));
    if (account.email === email) return;
    const owner = await this.store.findByEmail(email, db);
    if (owner !== undefined && owner.id !== account.id)
      throw new EmailConflictError('another account has this e-mail');
    if (isOperators || !this.verification.isOn) return this.applyAtOnce(account, email, by, db);
    await this.verification.begin(account, email, by?.client?.ip, db);
    await this.record('email-change-requested', account, by, db);
  }

  /** Changes the e-mail and notifies both e-mails. Where e-mails are verified, the new e-mail must be confirmed. */
  private async applyAtOnce(
    account: AccountRow,
    email: string,
    by: Actor | undefined,
    db: Queries,
  ): Promise<void> {
    const changed = await this.store.update(account.id, { email }, db);
    const decider = by === undefined || by.id === account.id ? 'owner' : 'operator';
    await this.verification.tellChanged(account, { newEmail: email, ip: by?.client?.ip, by: decider }, db);
    if (changed !== undefined && this.verification.isOn)
      await this.verification.beginIfWithin(changed, email, by?.client?.ip, db);
    await this.record('email-changed', account, by, db);
  }

  private record(
    kind: 'email-changed' | 'email-change-requested',
    { id }: AccountRow,
    by: Actor | undefined,
    db: Queries,
  ): Promise<void> {
    const actor = by?.id === id ? { client: by.client } : by;
    return this.audit.record({ kind, accountId: id, ...recordOf(actor ?? {}) }, db);
  }
}
