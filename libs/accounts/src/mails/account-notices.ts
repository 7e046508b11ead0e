import type { Outbox } from '@app/mail';
import type { Queries } from '@app/persistence';
import type { AccountRow } from '../account/account.table';
import { sourceOf } from '../limits/attempt-subjects';
import type { EmailLinksStore } from '../links/email-links.store';
import type { MailLimit } from '../limits/mail-limit';
import type { Client } from '../devices/client';
import type { AccountMails, FactorChangedFacts, PasswordChangedFacts } from './account-mails';

const DAY = 24 * 3_600_000;
/** A notice is of use while its reader can still act. */
const goodForMs = 3 * DAY;

/** Notifications of an owner by mail. */
export class AccountNotices {
  constructor(
    private readonly outbox: Outbox,
    private readonly mails: AccountMails,
    private readonly limit: MailLimit,
    private readonly links: EmailLinksStore,
  ) {}

  /**
   * Notifies of a new password, and how many API keys still work, within the limit of such mails to the e-mail. The
   * e-mails that the account had within a week are notified as well: who changed the e-mail must not change the password unnoticed.
   *
   * @param ip remote address of the request, if it is known
   * @param db the transaction of the change
   */
  async addPasswordChanged(
    { id, email }: AccountRow,
    { ip, ...facts }: Omit<PasswordChangedFacts, 'email' | 'at'>,
    db: Queries,
  ): Promise<void> {
    const text = this.mails.passwordChanged({ email, ip, ...facts, at: new Date() });
    const mail = { kind: 'password-changed', accountId: id, cause: sourceOf(ip), goodForMs, ...text };
    for (const recipient of new Set([email, ...(await this.links.formerEmails(id, db))]))
      if ((await this.limit.count('password-changed', recipient, ip, db)) === 0)
        await this.outbox.add({ ...mail, recipient }, db);
  }

  /**
   * Notifies an owner that the first proof of the e-mail ended everything from before.
   *
   * @param db the transaction that ends it
   */
  async addFirstProof({ id, email }: AccountRow, ip: string, db: Queries): Promise<void> {
    const text = this.mails.firstProof({ email, ip, at: new Date() });
    const mail = { kind: 'first-proof', recipient: email, accountId: id, cause: sourceOf(ip), goodForMs };
    await this.outbox.add({ ...mail, ...text }, db);
  }

  /**
   * Notifies of a sign-in from a new device.
   *
   * @param db the transaction that records it
   */
  async addNewDevice({ id, email }: AccountRow, { ip, device }: Client, db: Queries): Promise<void> {
    const text = this.mails.newDevice({ email, ip, device, at: new Date() });
    const cause = sourceOf(ip);
    await this.outbox.add(
      { kind: 'new-device', recipient: email, accountId: id, cause, goodForMs, ...text },
      db,
    );
  }

  /**
   * Notifies of a change of a factor, also by the e-mails that the account had within a week, within the limit of such mails.
   *
   * @param db the transaction of the change
   */
  async addFactorChanged(
    { id, email }: AccountRow,
    { ip, ...change }: Pick<FactorChangedFacts, 'factor' | 'change' | 'isByOperator' | 'ip'>,
    db: Queries,
  ): Promise<void> {
    const facts = { email, ...change, at: new Date(), ...(!change.isByOperator && { ip }) };
    const mail = { kind: 'factor-changed', accountId: id, cause: sourceOf(ip), goodForMs };
    const text = this.mails.factorChanged(facts);
    for (const recipient of new Set([email, ...(await this.links.formerEmails(id, db))]))
      if ((await this.limit.count('factor-changed', recipient, ip, db)) === 0)
        await this.outbox.add({ ...mail, recipient, ...text }, db);
  }
}
