import type { Queries } from '@app/persistence';
import type { AccountRow } from '../account/account.table';
import { mapEmailConflict } from '../account/email-conflict';
import { TooManyEmailLinksError } from '../errors';
import type { SharedLimit } from '../limits/shared-limit';
import type { MailLimit } from '../limits/mail-limit';
import { checkUnreserved } from '../links/email-links.store';
import type { EmailChangeOrigin, EmailMails } from './email-mails';

/** What `EMAIL_VERIFICATION` decides: whether an e-mail must be confirmed, and by whom. */
export class EmailVerification {
  /**
   * @param perAccount links that one account requests, sent or not
   * @param perEmail   links that are sent to one e-mail
   */
  constructor(
    readonly isOn: boolean,
    private readonly mails: EmailMails,
    private readonly perAccount: SharedLimit,
    private readonly perEmail: MailLimit,
  ) {}

  /**
   * Counts a link that an account requests, outside of the transaction: also one that is rejected then.
   *
   * @throws TooManyEmailLinksError if the account is over the limit
   */
  async countOf(accountId: number): Promise<void> {
    const wait = await this.perAccount.count(`email-link:account:${accountId}`);
    if (wait > 0) throw new TooManyEmailLinksError(wait);
  }

  /** Notifies the e-mails of a change that takes effect without a confirmation, each within its own limit. */
  async tellChanged(before: AccountRow, origin: EmailChangeOrigin, db: Queries): Promise<void> {
    const isWithin = async (email: string) =>
      (await this.perEmail.count('email-changed', email, origin.ip, db)) === 0;
    await this.mails.addChanged(before, origin, db, isWithin);
  }

  /**
   * Sends a link to an e-mail, which its owner confirms for the account.
   *
   * @param ip remote address of the request, if it is known
   * @throws EmailConflictError if its former owner may still get it back
   * @throws TooManyEmailLinksError if the e-mail is over the limit
   */
  async begin(account: AccountRow, email: string, ip: string | undefined, db: Queries): Promise<void> {
    await mapEmailConflict(checkUnreserved({ id: account.id, email }, db));
    const wait = await this.beginIfWithin(account, email, ip, db);
    if (wait > 0) throw new TooManyEmailLinksError(wait);
  }

  /** As {@link begin}; over the limit no link is sent, and the milliseconds to wait are returned. */
  async beginIfWithin(
    account: AccountRow,
    email: string,
    ip: string | undefined,
    db: Queries,
  ): Promise<number> {
    const wait = await this.perEmail.count('email-verification', email, ip, db);
    if (wait === 0) await this.mails.addConfirmation(account, email, ip, db);
    return wait;
  }
}
