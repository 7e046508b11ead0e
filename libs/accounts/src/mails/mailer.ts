import { Outbox } from '@app/mail';
import type { Queries } from '@app/persistence';
import type { Rate } from '@app/settings';
import { Injectable } from '@nestjs/common';
import type { AccountRow } from '../account/account.table';
import { mailSubject, sourceOf } from '../limits/attempt-subjects';
import { Limiter } from '../limits/limiter';
import { EmailLinksStore } from '../account/email-links.store';
import type { MailFacts } from './account-mails';
import { AccountsOptions } from '../options';
import { AttemptsStore } from '../limits/attempts.store';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The lifetimes of mailed links and codes. A notice lasts as long as its reader can still act. */
export const lifetimes = {
  code: 10 * MINUTE,
  reset: 30 * MINUTE,
  confirmation: 24 * HOUR,
  undo: 7 * DAY,
  notice: 3 * DAY,
} as const;

/** The limit for notices of a kind to an e-mail, so that somebody who has a password cannot fill the mailbox. */
const notices: Rate = { limit: 5, windowSeconds: 3600 };

/** The rules by which a mail is sent. */
interface MailRule {
  /** The mail's name in the outbox and the limits. */
  readonly kind: string;
  readonly goodForMs: number;
  /** The kind of unsent mails that this mail makes useless. */
  readonly replaces?: string;
  /**
   * Whether the e-mails that the account had within a week are notified as well. An attacker who changed the e-mail then cannot
   * make further changes unnoticed.
   */
  readonly toFormerEmails?: boolean;
  /** Whether the mail counts against the limit for its kind and e-mail. */
  readonly isLimited?: boolean;
}

const rules: Readonly<Record<keyof MailFacts, MailRule>> = {
  passwordReset: { kind: 'password-reset', goodForMs: lifetimes.reset, replaces: 'password-reset' },
  passwordWasReset: {
    kind: 'password-was-reset',
    goodForMs: lifetimes.notice,
    replaces: 'password-reset',
    toFormerEmails: true,
  },
  passwordChanged: {
    kind: 'password-changed',
    goodForMs: lifetimes.notice,
    toFormerEmails: true,
    isLimited: true,
  },
  firstProof: { kind: 'first-proof', goodForMs: lifetimes.notice },
  newDevice: { kind: 'new-device', goodForMs: lifetimes.notice },
  factorChanged: {
    kind: 'factor-changed',
    goodForMs: lifetimes.notice,
    toFormerEmails: true,
    isLimited: true,
  },
  emailVerification: { kind: 'email-verification', goodForMs: lifetimes.confirmation },
  emailChanged: { kind: 'email-changed', goodForMs: lifetimes.undo },
  emailCode: { kind: 'email-code', goodForMs: lifetimes.code },
};

/** The account that a mail is about, and the request that caused it. */
export interface MailOccasion {
  /** The account. If it is `undefined`, the mail is written and withdrawn, which takes the same work. */
  readonly account: Pick<AccountRow, 'id' | 'email'> | undefined;
  /** The recipient; default the account's e-mail. */
  readonly to?: string;
  /** The request's remote address, if it is known. */
  readonly ip?: string;
}

/** The recipient for a mail that is withdrawn. */
export const nobody = 'nobody@sluice.local';

/** Sends all account mails by adding them to the outbox, in the transaction that causes them. */
@Injectable()
export class Mailer {
  private readonly limit: Limiter;

  constructor(
    private readonly outbox: Outbox,
    attempts: AttemptsStore,
    private readonly links: EmailLinksStore,
    private readonly options: AccountsOptions,
  ) {
    this.limit = new Limiter(notices, attempts);
  }

  /** @param db the transaction that causes the mail */
  async send<Name extends keyof MailFacts>(
    name: Name,
    { account, to = account?.email ?? nobody, ip }: MailOccasion,
    facts: MailFacts[Name],
    db: Queries,
  ): Promise<void> {
    const { kind, goodForMs, replaces, toFormerEmails = false, isLimited = false } = rules[name];
    if (replaces !== undefined) await this.outbox.endPending(replaces, account?.id ?? 0, db);
    const former = toFormerEmails && account ? await this.links.formerEmails(account.id, db) : [];
    const mail = {
      kind,
      accountId: account?.id,
      cause: sourceOf(ip),
      goodForMs,
      ...this.options.mails[name](facts),
    };
    for (const recipient of new Set([to, ...former])) {
      if (isLimited && (await this.limit.countAt(mailSubject(kind, recipient), ip, db)) > 0) continue;
      const id = await this.outbox.add({ ...mail, recipient }, db);
      if (account === undefined) await this.outbox.withdraw(id, db);
    }
  }

  /** Cancels an account's unsent mails, because their link or code has ended. */
  end(name: keyof MailFacts, accountId: number, db: Queries): Promise<void> {
    return this.outbox.endPending(rules[name].kind, accountId, db);
  }

  /**
   * Makes a link for a mail.
   *
   * @param page the page below the application, which reads the fragment and calls the service
   */
  linkTo(page: string, token: string): string {
    return linkTo(this.options.appUrl, page, token);
  }
}

/**
 * Returns a link into the web application. The token stands in the fragment, which browsers keep to themselves, so that it never
 * appears in a log or a `Referer`.
 *
 * @param appUrl the application's URL, with or without a path
 * @param page the path below it, without a leading slash
 */
export function linkTo(appUrl: string, page: string, token: string): string {
  const url = new URL(appUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${page}`;
  url.hash = `token=${token}`;
  return url.href;
}
