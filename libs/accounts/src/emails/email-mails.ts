import type { Outbox } from '@app/mail';
import type { Queries } from '@app/persistence';
import type { AccountRow } from '../account/account.table';
import { sourceOf } from '../limits/attempt-subjects';
import type { AccountMails } from '../mails/account-mails';
import { linkTo } from '../links/link-to';
import type { MailTokens } from '../links/mail-token';
import type { EmailLinksStore } from '../links/email-links.store';

const HOUR = 3_600_000;
/** Lifetime of a link that confirms an e-mail. */
export const CONFIRM_HOURS = 24;
/** Lifetime of a link that undoes a change of the e-mail. */
export const UNDO_DAYS = 7;
const UNDO_MS = UNDO_DAYS * 24 * HOUR;
/** Below the address that the mails name: the pages that read the fragment and call the service. */
const pages = { confirm: 'verify-email', undo: 'undo-email-change' };

/** How an e-mail was changed. */
export interface EmailChangeOrigin {
  readonly newEmail: string;
  /** Remote address of the request, if it is known. */
  readonly ip?: string;
  /** Who decided it: a confirmation is that of the new e-mail. */
  readonly by: 'confirmation' | 'owner' | 'operator';
}

/** The mails with links that confirm an e-mail, or undo its change. */
export class EmailMails {
  /** @param appUrl where users open the application */
  constructor(
    private readonly links: EmailLinksStore,
    private readonly outbox: Outbox,
    private readonly mails: AccountMails,
    private readonly appUrl: string,
    private readonly tokens: MailTokens,
  ) {}

  /** Revokes the links of an account that confirm an e-mail, and gives up their mails. */
  async endConfirmations(accountId: number, db: Queries): Promise<void> {
    await this.links.removePending(accountId, db);
    await this.outbox.endPending('email-verification', accountId, db);
  }

  /** Sends a link to an e-mail, which its owner confirms for the account; earlier links of the account are revoked. */
  async addConfirmation(
    { id }: AccountRow,
    email: string,
    ip: string | undefined,
    db: Queries,
  ): Promise<void> {
    const { token, hash } = this.tokens.make('email confirmation');
    const goodForMs = CONFIRM_HOURS * HOUR;
    await this.endConfirmations(id, db);
    await this.links.insert(
      {
        kind: 'confirm',
        accountId: id,
        email,
        tokenHash: hash,
        expiresAt: after(goodForMs),
        isUndoable: true,
      },
      db,
    );
    const link = linkTo(this.appUrl, pages.confirm, token);
    const text = this.mails.emailVerification({ email, link, hours: CONFIRM_HOURS });
    const cause = sourceOf(ip);
    await this.outbox.add(
      { kind: 'email-verification', recipient: email, accountId: id, cause, goodForMs, ...text },
      db,
    );
  }

  /**
   * Notifies both e-mails of a change. The e-mail of before can undo it by a link, unless that was never verified where e-mails are, and so can the
   * new one if it was confirmed.
   * The first link is that of the e-mail of before, so that it revokes the other one as well. For a week the e-mail of before is notified of new
   * passwords, unless an operator took it away.
   */
  async addChanged(
    before: AccountRow,
    { newEmail, ip, by }: EmailChangeOrigin,
    db: Queries,
    isWithin: (recipient: string) => Promise<boolean> = async () => true,
  ): Promise<void> {
    const isConfirmed = by === 'confirmation' && before.emailVerifiedAt !== null;
    const isUndoable = isConfirmed || by === 'owner';
    const mail = { kind: 'email-changed', accountId: before.id, cause: sourceOf(ip), goodForMs: UNDO_MS };
    const facts = { email: before.email, newEmail, ip, at: new Date(), days: UNDO_DAYS };
    const isNotified = by !== 'operator';
    for (const [recipient, hasLink] of [
      [before.email, isNotified],
      [newEmail, isConfirmed],
    ] as const) {
      const link = hasLink ? await this.insertUndo(before, isUndoable, db) : undefined;
      if (await isWithin(recipient))
        await this.outbox.add({ ...mail, recipient, ...this.mails.emailChanged({ ...facts, link }) }, db);
    }
  }

  /** @returns the link, if there is one */
  private async insertUndo(
    { id, email, emailVerifiedAt }: AccountRow,
    isUndoable: boolean,
    db: Queries,
  ): Promise<string | undefined> {
    const { token, hash } = this.tokens.make('email undo');
    const expiresAt = after(UNDO_MS);
    const endsSince = emailVerifiedAt === null ? undefined : new Date();
    await this.links.insert(
      { kind: 'undo', accountId: id, email, tokenHash: hash, expiresAt, isUndoable, endsSince },
      db,
    );
    return isUndoable ? linkTo(this.appUrl, pages.undo, token) : undefined;
  }
}

function after(milliseconds: number): Date {
  return new Date(Date.now() + milliseconds);
}
