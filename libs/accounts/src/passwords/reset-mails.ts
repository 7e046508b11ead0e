import type { Outbox } from '@app/mail';
import type { Queries } from '@app/persistence';
import type { AccountRow } from '../account/account.table';
import { sourceOf } from '../limits/attempt-subjects';
import type { EmailLinksStore } from '../links/email-links.store';
import type { AccountMails } from '../mails/account-mails';
import { linkTo } from '../links/link-to';

/** Lifetime of a link. */
export const RESET_MINUTES = 30;

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Below the address that the mails name: the page that reads the fragment and calls the service. */
const PAGE = 'reset-password';
const nobody = 'nobody@sluice.local';

const kind = 'password-reset';

/** The mails of password resets. */
export class ResetMails {
  /** @param appUrl where users open the application */
  constructor(
    private readonly outbox: Outbox,
    private readonly links: EmailLinksStore,
    private readonly mails: AccountMails,
    private readonly appUrl: string,
  ) {}

  /** Adds the mail with the link, in place of an earlier mail; without an account it is written and withdrawn, which takes the same work. */
  async addLink(account: AccountRow | undefined, token: string, ip: string, db: Queries): Promise<void> {
    const email = account?.email ?? nobody;
    const link = linkTo(this.appUrl, PAGE, token);
    const text = this.mails.passwordReset({ email, link, minutes: RESET_MINUTES });
    const goodForMs = RESET_MINUTES * MINUTE;
    const mail = {
      kind,
      recipient: email,
      cause: sourceOf(ip),
      accountId: account?.id,
      goodForMs,
      ...text,
    };
    await this.outbox.endPending(kind, account?.id ?? 0, db);
    const id = await this.outbox.add(mail, db);
    if (account === undefined) await this.outbox.withdraw(id, db);
  }

  /** Notifies the owner of a new password in place of a link that is not sent yet, also by the e-mails that the account had within a week. */
  async addNotice({ id, email }: AccountRow, ip: string, db: Queries): Promise<void> {
    await this.outbox.endPending(kind, id, db);
    const text = this.mails.passwordWasReset({ email, ip, at: new Date() });
    const mail = {
      kind: 'password-was-reset',
      accountId: id,
      cause: sourceOf(ip),
      goodForMs: 3 * DAY,
      ...text,
    };
    for (const recipient of new Set([email, ...(await this.links.formerEmails(id, db))]))
      await this.outbox.add({ ...mail, recipient }, db);
  }
}
