import { createHash, randomInt } from 'node:crypto';
import { html, type Outbox } from '@app/mail';
import { type Database, inTransaction, type Queries } from '@app/persistence';
import type { AccountRow } from '../../account/account.table';
import { type AccountsStore, placeholderEnd } from '../../account/accounts.store';
import type { AuditLog } from '../../audit/audit-log';
import { TooManyAttemptsError } from '../../errors';
import type { Challenges } from '../../factors/challenges';
import type { SignIn } from '../../factors/sign-in';
import type { EnrolledFactor, SignInFactor } from '../../factors/sign-in-factor';
import { addressSubject, sourceOf } from '../../limits/attempt-subjects';
import type { MailLimit } from '../../limits/mail-limit';
import type { SharedLimit } from '../../limits/shared-limit';
import { makeOneTimeSecret } from '../../one-time-secret';
import { linkTo } from '../../links/link-to';
import type { SignInLimits } from '../../sign-in/sign-in-limits';
import { EmailCodesOffError } from './errors';

const LIFETIME_MS = 10 * 60_000;
const MAX_TRIES = 5;

/** What {@link EmailCodes} uses. */
export interface EmailCodesParts {
  readonly db: Database;
  readonly accounts: AccountsStore;
  readonly challenges: Challenges;
  readonly outbox: Outbox;
  readonly audit: AuditLog;
  readonly signIns: SignInLimits;
  readonly perAddress: SharedLimit;
  readonly perAccount: MailLimit;
  readonly appUrl: string;
  readonly isOn: boolean;
  /** Whether an unverified e-mail gets no code: its owner may not know of the account. */
  readonly needsVerified: boolean;
}

/** Codes by mail, as the first factor of a sign-in. */
export class EmailCodes implements SignInFactor {
  readonly kind = 'email-code';
  readonly title = 'Codes by mail';
  readonly role = 'first';
  readonly provesEmail = true;

  constructor(private readonly parts: EmailCodesParts) {}

  /** Nothing for an account that would be sent no code: the codes are no way to sign in that it could be left with. */
  async list(accountId: number, db?: Queries): Promise<readonly EnrolledFactor[]> {
    const { kind } = this;
    const account = this.parts.isOn ? await this.parts.accounts.findById(accountId, db) : undefined;
    if (account === undefined || !this.isReachable(account)) return [];
    return [{ id: kind, kind, name: null, createdAt: null, remaining: null }];
  }

  /**
   * Mails a code to the owner of an account. Without an account, or over its limit, the same is executed, and the mail is withdrawn.
   *
   * @returns the nonce, which the client sends with the code
   * @throws EmailCodesOffError
   * @throws TooManyAttemptsError if the address is over its limit, for any username
   */
  async request(username: string, ip: string): Promise<string> {
    const { isOn, db: database, accounts, challenges, outbox, audit, perAddress, perAccount } = this.parts;
    if (!isOn) throw new EmailCodesOffError();
    const wait = await perAddress.count(`email-code:${addressSubject(ip)}`);
    if (wait > 0) throw new TooManyAttemptsError(wait);
    const isWithin = (await perAccount.count(this.kind, username, ip)) === 0;
    const nonce = makeOneTimeSecret();
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    await inTransaction(database, async (db) => {
      const account = await accounts.lockByEmail(username, db);
      const sent = isWithin && account && this.isServed(account) ? account : undefined;
      const challenge = { token: nonce, challengeState: hashOf(nonce, code, sent), lifetimeMs: LIFETIME_MS };
      await challenges.add({ ...challenge, accountId: sent?.id ?? null }, db);
      const id = await outbox.add(this.mailOf(sent, code, ip), db);
      if (sent === undefined) await outbox.withdraw(id, db);
      const detail = { factor: this.kind, sent: sent !== undefined };
      await audit.record({ kind: 'factor-requested', accountId: account?.id, ip, detail }, db);
    });
    return nonce;
  }

  /**
   * Verifies a code; `undefined` if it is wrong, was used, has expired, or was tried five times.
   *
   * @throws EmailCodesOffError, TooManyAttemptsError
   */
  async prove(nonce: string, code: string, ip: string): Promise<SignIn | undefined> {
    const { isOn, db, accounts, challenges, outbox, signIns } = this.parts;
    if (!isOn) throw new EmailCodesOffError();
    const row = await challenges.countTry(nonce, MAX_TRIES);
    const account = await accounts.findById(row?.accountId ?? 0);
    const isRight = row?.challengeState === hashOf(nonce, code, account) && account && this.isServed(account);
    if (isRight && (await challenges.use(nonce))) {
      await outbox.endPending(this.kind, account.id, db);
      return { account, factors: [{ kind: this.kind, amr: ['otp'], at: new Date() }] };
    }
    await signIns.fail({ accountId: account?.id, reason: 'credentials' }, ip);
    return undefined;
  }

  private isServed(account: AccountRow): boolean {
    return account.disabledAt === null && this.isReachable(account);
  }

  private isReachable({ email, emailVerifiedAt }: AccountRow): boolean {
    return !email.endsWith(placeholderEnd) && (emailVerifiedAt !== null || !this.parts.needsVerified);
  }

  private mailOf(account: AccountRow | undefined, code: string, ip: string) {
    const { email: recipient, id: accountId } = account ?? { email: 'nobody@sluice.local' };
    const link = linkTo(this.parts.appUrl, 'sign-in', code);
    const [first, then] = [
      `Sign in to ${recipient} with the code`,
      'in the same browser, within ten minutes',
    ];
    return {
      kind: this.kind,
      recipient,
      accountId,
      cause: sourceOf(ip),
      goodForMs: LIFETIME_MS,
      link,
      subject: 'Your code to sign in',
      text: `${first} ${code}, or open this link ${then}:\n\n${link}\n\nIf it was not you, ignore this mail.\n`,
      html: html`<p>${first} <b>${code}</b>, or <a href="${link}">by this link</a> ${then}.</p>
        <p>If it was not you, ignore this mail.</p> `,
    };
  }
}

/** Without the nonce, which is not stored, six digits are not guessed from it. Another e-mail, or the end of all access, ends a code. */
function hashOf(nonce: string, code: string, account?: AccountRow): string {
  const bound = account && [account.id, account.emailKey, account.tokenGeneration];
  return createHash('sha256')
    .update(JSON.stringify(['email code', nonce, code, bound]))
    .digest('base64url');
}
