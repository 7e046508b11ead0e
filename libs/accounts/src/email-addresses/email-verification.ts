import type { Queries } from '@app/persistence';
import type { Rate } from '@app/settings';
import { Injectable } from '@nestjs/common';
import type { AccountRow } from '../account/account.table';
import { mapEmailConflict } from '../account/email-conflict';
import { TooManyEmailLinksError } from '../errors';
import { mailSubject } from '../limits/attempt-subjects';
import { Limiter } from '../limits/limiter';
import { checkUnreserved, EmailLinksStore } from '../account/email-links.store';
import { MailTokens } from '../mails/mail-token';
import { lifetimes, Mailer } from '../mails/mailer';
import { AccountsOptions } from '../options';
import { AttemptsStore } from '../limits/attempts.store';

const HOUR = 3_600_000;

/** How an e-mail was changed. */
export interface EmailChangeOrigin {
  readonly newEmail: string;
  /** Remote address of the request, if it is known. */
  readonly ip?: string;
  /** Who decided it: a confirmation is that of the new e-mail. */
  readonly by: 'confirmation' | 'owner' | 'operator';
}

/** The links of an account, sent or not, and the links to an e-mail. */
const perHour: Rate = { limit: 5, windowSeconds: 3600 };

/** The links of mails that confirm an e-mail, or undo its change. */
@Injectable()
export class EmailVerification {
  /** Whether an e-mail must be confirmed (`EMAIL_VERIFICATION`). */
  readonly isOn: boolean;
  private readonly limit: Limiter;

  constructor(
    private readonly links: EmailLinksStore,
    private readonly tokens: MailTokens,
    private readonly mailer: Mailer,
    attempts: AttemptsStore,
    { verifiesEmails }: AccountsOptions,
  ) {
    this.isOn = verifiesEmails;
    this.limit = new Limiter(perHour, attempts);
  }

  /**
   * Counts a link that an account requests, outside of the transaction: also one that is rejected then.
   *
   * @throws TooManyEmailLinksError if the account is over the limit
   */
  async countOf(accountId: number): Promise<void> {
    const wait = await this.limit.count(`email-link:account:${accountId}`);
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
    const wait = await this.limit.countAt(mailSubject('email-verification', email), ip, db);
    if (wait > 0) return wait;
    const { token, hash: tokenHash } = this.tokens.make('email confirmation');
    await this.end(account.id, db);
    const link = { accountId: account.id, email, tokenHash, expiresAt: after(lifetimes.confirmation) };
    await this.links.insert({ kind: 'confirm', ...link, isUndoable: true }, db);
    const facts = {
      email,
      link: this.mailer.linkTo('verify-email', token),
      hours: lifetimes.confirmation / HOUR,
    };
    await this.mailer.send('emailVerification', { account, to: email, ip }, facts, db);
    return 0;
  }

  /** Revokes the links of an account that confirm an e-mail, and gives up their mails. */
  async end(accountId: number, db: Queries): Promise<void> {
    await this.links.removePending(accountId, db);
    await this.mailer.end('emailVerification', accountId, db);
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
        by === 'confirmation' || (await this.limit.countAt(mailSubject('email-changed', to), ip, db)) === 0;
      if (isWithin)
        await this.mailer.send('emailChanged', { account: before, to, ip }, { ...facts, link }, db);
    }
  }

  /** @returns the link, if there is one */
  private async insertUndo(
    { id: accountId, email, emailVerifiedAt }: AccountRow,
    isUndoable: boolean,
    db: Queries,
  ): Promise<string | undefined> {
    const { token, hash: tokenHash } = this.tokens.make('email undo');
    const endsSince = emailVerifiedAt === null ? undefined : new Date();
    const link = { accountId, email, tokenHash, expiresAt: after(lifetimes.undo), isUndoable, endsSince };
    await this.links.insert({ kind: 'undo', ...link }, db);
    return isUndoable ? this.mailer.linkTo('undo-email-change', token) : undefined;
  }
}

function after(milliseconds: number): Date {
  return new Date(Date.now() + milliseconds);
}
