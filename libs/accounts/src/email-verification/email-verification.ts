import type { AccountRow, Queries } from '@app/persistence';
import { accountSubject } from '../attempt-subjects';
import { emailKey } from '../emails';
import { type EmailMember, EmailTakenError, TooManyEmailLinksError } from '../errors';
import type { HourlyLimit } from '../hourly-limit';
import type { EmailLinksStore } from './email-links.store';
import type { EmailMails } from './email-mails';

/** What `EMAIL_VERIFICATION` decides: whether an e-mail must be confirmed, and who is asked to. */
export class EmailVerification {
  /** @param limit of links to one e-mail, and of one account */
  constructor(
    readonly isOn: boolean,
    private readonly links: EmailLinksStore,
    private readonly mails: EmailMails,
    private readonly limit: HourlyLimit,
  ) {}

  /**
   * Counts a link before it is sent, outside of the transaction.
   *
   * @throws TooManyEmailLinksError if the account or the e-mail is over the limit
   */
  async countLink(accountId: number, email: string): Promise<void> {
    for (const subject of [`account:${accountId}`, accountSubject(email)]) {
      const wait = await this.limit.count(`email-link:${subject}`);
      if (wait > 0) throw new TooManyEmailLinksError(wait);
    }
  }

  /** Whether a change needs a confirmation: another spelling of the same e-mail does not. */
  isNeeded(account: AccountRow, email: string): boolean {
    return this.isOn && emailKey(email) !== account.emailKey;
  }

  /**
   * Sends a link to an e-mail, which its owner confirms for the account.
   *
   * @throws EmailTakenError if its former owner may still get it back
   */
  async begin(account: AccountRow, email: string, db: Queries): Promise<void> {
    await this.checkFree(email, { accountId: account.id }, db);
    await this.mails.addConfirmation(account, email, db);
  }

  /** @throws EmailTakenError */
  async checkFree(
    email: string,
    { accountId, member }: { readonly accountId?: number; readonly member?: EmailMember },
    db: Queries,
  ): Promise<void> {
    if (await this.links.isReserved(email, accountId, db))
      throw new EmailTakenError('the former owner of this e-mail may still get it back', { member });
  }
}
