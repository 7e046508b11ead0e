import type { Outbox } from '@app/mail';
import type { AccountRow, Queries } from '@app/persistence';
import type { AccountMails } from '../mails/account-mails';
import { linkTo } from '../mails/link-to';
import { makeMailToken } from '../mails/mail-token';
import type { EmailLinksStore } from './email-links.store';

const HOUR = 3_600_000;
/** Lifetime of a link that confirms an e-mail. */
export const CONFIRM_HOURS = 24;
/** Lifetime of a link that undoes a change of the e-mail. */
export const UNDO_DAYS = 7;
/** Below the address that the mails name: the pages that read the fragment and call the service. */
const pages = { confirm: 'verify-email', undo: 'undo-email-change' };

/** What a mail about a changed e-mail says. */
export interface EmailChangeOrigin {
  readonly newEmail: string;
  /** Remote address of the request. */
  readonly ip: string;
}

/** The mails with links that confirm an e-mail, or undo its change. */
export class EmailMails {
  /** @param appUrl where users open the application */
  constructor(
    private readonly links: EmailLinksStore,
    private readonly outbox: Outbox,
    private readonly mails: AccountMails,
    private readonly appUrl: string,
  ) {}

  /** Sends a link to an e-mail, which its owner confirms for the account; earlier links of the account end. */
  async addConfirmation({ id }: AccountRow, email: string, db: Queries): Promise<void> {
    const { token, hash } = makeMailToken('email confirmation');
    const goodForMs = CONFIRM_HOURS * HOUR;
    await this.links.removePending(id, db);
    await this.links.insert(
      { kind: 'confirm', accountId: id, email, tokenHash: hash, expiresAt: after(goodForMs) },
      db,
    );
    const link = linkTo(this.appUrl, pages.confirm, token);
    const text = this.mails.emailVerification({ email, link, hours: CONFIRM_HOURS });
    await this.outbox.add({ kind: 'email-verification', recipient: email, goodForMs, ...text }, db);
  }

  /** Tells the e-mail of before of its change, with a link that undoes it if that e-mail was verified. */
  async addChanged(before: AccountRow, origin: EmailChangeOrigin, db: Queries): Promise<void> {
    const goodForMs = UNDO_DAYS * 24 * HOUR;
    const link = before.emailVerifiedAt === null ? undefined : await this.insertUndo(before, goodForMs, db);
    const facts = { email: before.email, ...origin, at: new Date(), link, days: UNDO_DAYS };
    const text = this.mails.emailChanged(facts);
    await this.outbox.add({ kind: 'email-changed', recipient: before.email, goodForMs, ...text }, db);
  }

  /** @returns the link */
  private async insertUndo({ id, email }: AccountRow, goodForMs: number, db: Queries): Promise<string> {
    const { token, hash } = makeMailToken('email undo');
    await this.links.insert(
      { kind: 'undo', accountId: id, email, tokenHash: hash, expiresAt: after(goodForMs) },
      db,
    );
    return linkTo(this.appUrl, pages.undo, token);
  }
}

function after(milliseconds: number): Date {
  return new Date(Date.now() + milliseconds);
}
