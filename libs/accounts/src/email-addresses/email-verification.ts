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

/** The circumstances behind an e-mail change. */
export interface EmailChangeOrigin {
  readonly newEmail: string;
  /** The request's remote address, if it is known. */
  readonly ip?: string;
  /** The decider: an operator, the owner, or the new e-mail's confirmation. */
  readonly by: 'confirmation' | 'owner' | 'operator';
}

/** The limit for the links that an account requests, sent or not, and for the links to an e-mail. */
const perHour: Rate = { limit: 5, windowSeconds: 3600 };

/** Sends and revokes the links that confirm an e-mail or undo its change. */
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
   * Counts a link that an account requests. Runs outside the transaction, so that a request which is rejected then counts too.
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
   * @param ip remote address, if it is known
   * @throws EmailConflictError if a former owner may still get the e-mail back
   * @throws TooManyEmailLinksError if the e-mail is over the limit
   */
  async begin(account: AccountRow, email: string, ip: string | undefined, db: Queries): Promise<void> {
    await mapEmailConflict(checkUnreserved({ id: account.id, email }, db));
    const wait = await this.beginIfWithin(account, email, ip, db);
    if (wait > 0) throw new TooManyEmailLinksError(wait);
  }

  /**
   * Sends a link like {@link begin} and revokes the account's earlier links. Over the limit, it sends no link and returns the
   * milliseconds to wait.
   */
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

  /** Revokes the links that confirm an e-mail for an account, and cancels their unsent mails. */
  async end(accountId: number, db: Queries): Promise<void> {
    await this.links.removePending(accountId, db);
    await this.mailer.end('emailVerification', accountId, db);
  }

  /**
   * Notifies both e-mails about a change. Unless the change was confirmed, each notification counts against the limit for its
   * e-mail.
   *
   * The former e-mail gets a link that undoes the change, except where e-mails are verified and this e-mail was never verified.
   * The new e-mail gets such a link if it was confirmed. The former e-mail's link comes first, so that it revokes the second
   * link as well. For a week, the former e-mail is notified about new passwords, unless an operator made the change.
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

  /** @returns the link; `undefined` if the former e-mail is only notified */
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
