import type { Outbox } from '@app/mail';
import type { AccountRow, Queries } from '@app/persistence';
import type { AccountMails } from '../mails/account-mails';
import { linkTo } from '../mails/link-to';

/** Lifetime of a link. */
export const RESET_MINUTES = 30;

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Below the address that the mails name: the page that reads the fragment and calls the service. */
const PAGE = 'reset-password';
const nobody = 'nobody@sluice.local';

/** The mails of password resets. */
export class ResetMails {
  /** @param appUrl where users open the application */
  constructor(
    private readonly outbox: Outbox,
    private readonly mails: AccountMails,
    private readonly appUrl: string,
  ) {}

  /** Adds the mail with the link; without an account it is written and withdrawn, which takes the same work. */
  async addLink(account: AccountRow | undefined, token: string, db: Queries): Promise<void> {
    const email = account?.email ?? nobody;
    const link = linkTo(this.appUrl, PAGE, token);
    const text = this.mails.passwordReset({ email, link, minutes: RESET_MINUTES });
    const goodForMs = RESET_MINUTES * MINUTE;
    const id = await this.outbox.add({ kind: 'password-reset', recipient: email, goodForMs, ...text }, db);
    if (account === undefined) await this.outbox.withdraw(id, db);
  }

  /** Tells the owner that the password was set. */
  async addNotice({ email }: AccountRow, ip: string, db: Queries): Promise<void> {
    const text = this.mails.passwordWasReset({ email, ip, at: new Date() });
    await this.outbox.add({ kind: 'password-was-reset', recipient: email, goodForMs: 3 * DAY, ...text }, db);
  }
}
