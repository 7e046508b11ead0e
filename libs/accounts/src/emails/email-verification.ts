import type { Queries } from '@app/persistence';
import type { AccountRow } from '../account/account.table';
import { mapEmailConflict } from '../account/email-conflict';
import { TooManyEmailLinksError } from '../errors';
import { mailSubject } from '../limits/attempt-subjects';
import type { Limiter } from '../limits/limiter';
import { checkUnreserved, type EmailLinksStore } from '../links/email-links.store';
import type { MailTokens } from '../links/mail-token';
import { lifetimes, type Mailer } from '../mails/mailer';

const HOUR = 3_600_000;

/** How an e-mail was changed. */
export interface EmailChangeOrigin {
  readonly newEmail: string;
  /** Remote address of the request, if it is known. */
  readonly ip?: string;
  /** Who decided it: a confirmation is that of the new e-mail. */
  readonly by: 'confirmation' | 'owner' | 'operator';
}

/** What {@link EmailVerification} uses. */
export interface EmailVerificationParts {
  readonly links: EmailLinksStore;
  readonly tokens: MailTokens;
  readonly mailer: Mailer;
  /** Links that one account requests, sent or not. */
  readonly perAccount: Limiter;
  /** Links that are sent to one e-mail. */
  readonly perEmail: Limiter;
}

/** The links of mails that confirm an e-mail, or undo its change. */
export class EmailVerification {
  /** @param isOn whether an e-mail must be confirmed (`EMAIL_VERIFICATION`) */
  constructor(
    readonly isOn: boolean,
    private readonly parts: EmailVerificationParts,
  ) {}

  /**
   * Counts a link that an account requests, outside of the transaction: also one that is rejected then.
   *
   * @throws TooManyEmailLinksError if the account is over the limit
   */
  async countOf(accountId: number): Promise<void> {
    const wait = await this.parts.perAccount.count(`email-link:account:${accountId}`);
    if (wait > 0) throw new TooManyEmailLinksError(wait);
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

  /** As {@link begin}; over the limit no link is sent, and the milliseconds to wait are returned. Earlier links of the account are revoked. */
  async beginIfWithin(
    account: AccountRow,
    email: string,
    ip: string | undefined,
    db: Queries,
  ): Promise<number> {
    const { perEmail, tokens, links, mailer } = this.parts;
    const wait = await perEmail.countAt(mailSubject('email-verification', email), ip, db);
    if (wait > 0) return wait;
    const { token, hash: tokenHash } = tokens.make('email confirmation');
    await this.end(account.id, db);
    const link = { accountId: account.id, email, tokenHash, expiresAt: after(lifetimes.confirmation) };
    await links.insert({ kind: 'confirm', ...link, isUndoable: true }, db);
    const facts = {
      email,
      link: mailer.linkTo('verify-email', token),
      hours: lifetimes.confirmation / HOUR,
    };
    await mailer.send('emailVerification', { account, to: email, ip }, facts, db);
    return 0;
  }

  /** Revokes the links of an account that confirm an e-mail, and gives up their mails. */
  async end(accountId: number, db: Queries): Promise<void> {
    const { links, mailer } = this.parts;
    await links.removePending(accountId, db);
    await mailer.end('emailVerification', accountId, db);
  }

  /**
   * Notifies both e-mails of a change; of one without a confirmation each within its own limit. The e-mail of before can undo it by a link, unless that
   * was never verified where e-mails are, and so can the new one if it was confirmed.
   * The first link is that of the e-mail of before, so that it revokes the other one as well. For a week the e-mail of before is notified of new
   * passwords, unless an operator took it away.
   */
  async tellChanged(before: AccountRow, { newEmail, ip, by }: EmailChangeOrigin, db: Queries): Promise<void> {
    const isConfirmed = by === 'confirmation' && before.emailVerifiedAt !== null;
    const isUndoable = isConfirmed || by === 'owner';
    const facts = { email: before.email, newEmail, ip, at: new Date(), days: lifetimes.undo / (24 * HOUR) };
    for (const [to, hasLink] of [
      [before.email, by !== 'operator'],
      [newEmail, isConfirmed],
    ] as const) {
      const link = hasLink ? await this.insertUndo(before, isUndoable, db) : undefined;
      const isWithin =
        by === 'confirmation' ||
        (await this.parts.perEmail.countAt(mailSubject('email-changed', to), ip, db)) === 0;
      if (isWithin)
        await this.parts.mailer.send('emailChanged', { account: before, to, ip }, { ...facts, link }, db);
    }
  }

  /** @returns the link, if there is one */
  private async insertUndo(
    { id: accountId, email, emailVerifiedAt }: AccountRow,
    isUndoable: boolean,
    db: Queries,
  ): Promise<string | undefined> {
    const { tokens, links, mailer } = this.parts;
    const { token, hash: tokenHash } = tokens.make('email undo');
    const endsSince = emailVerifiedAt === null ? undefined : new Date();
    const link = { accountId, email, tokenHash, expiresAt: after(lifetimes.undo), isUndoable, endsSince };
    await links.insert({ kind: 'undo', ...link }, db);
    return isUndoable ? mailer.linkTo('undo-email-change', token) : undefined;
  }
}

function after(milliseconds: number): Date {
  return new Date(Date.now() + milliseconds);
}
