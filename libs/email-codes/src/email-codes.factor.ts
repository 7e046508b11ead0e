import { createHash, randomInt } from 'node:crypto';
import {
  type AccountRow,
  type AccountsStore,
  addressSubject,
  type AuditLog,
  type Challenges,
  type Limiter,
  lifetimes,
  type Mailer,
  mailSubject,
  makeOneTimeSecret,
  nobody,
  placeholderEnd,
  type SignIn,
  type SignInFactor,
  type SignInLimits,
  TooManyAttemptsError,
} from '@app/accounts';
import { type Database, inTransaction, type Queries } from '@app/persistence';
import { EmailCodesOffError } from './errors';

const MAX_TRIES = 5;

/** The {@link EmailCodes} dependencies. */
export interface EmailCodesParts {
  readonly db: Database;
  readonly accounts: AccountsStore;
  readonly challenges: Challenges;
  readonly mailer: Mailer;
  readonly audit: AuditLog;
  readonly signIns: SignInLimits;
  readonly perAddress: Limiter;
  readonly perAccount: Limiter;
  readonly isOn: boolean;
  /** Whether codes require a verified e-mail, because the owner of an unverified e-mail may not know about the account. */
  readonly needsVerified: boolean;
}

/** Codes by mail, as a sign-in's first factor. */
export class EmailCodes implements SignInFactor {
  readonly kind = 'email-code';
  readonly title = 'Codes by mail';
  readonly role = 'first';
  readonly provesEmail = true;

  constructor(private readonly parts: EmailCodesParts) {}

  /** Lists the factor for accounts that would receive a code, so that an account is never left with an unusable sign-in way. */
  async list(accountId: number, db?: Queries) {
    const { kind } = this;
    const account = this.parts.isOn ? await this.parts.accounts.findById(accountId, db) : undefined;
    if (account === undefined || !this.isReachable(account)) return [];
    return [{ id: kind, kind, name: null, createdAt: null, remaining: null }];
  }

  /**
   * Mails a code to an account's owner. Without an account, or over its limit, the same is executed, and the mail is withdrawn.
   *
   * @returns the nonce, which the client sends with the code
   * @throws EmailCodesOffError
   * @throws TooManyAttemptsError if the address is over its limit, for any username
   */
  async request(username: string, ip: string): Promise<string> {
    const { isOn, db: database, accounts, challenges, mailer, audit, perAddress, perAccount } = this.parts;
    if (!isOn) throw new EmailCodesOffError();
    const wait = await perAddress.count(`email-code:${addressSubject(ip)}`);
    if (wait > 0) throw new TooManyAttemptsError(wait);
    const isWithin = (await perAccount.countAt(mailSubject(this.kind, username), ip)) === 0;
    const nonce = makeOneTimeSecret();
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    await inTransaction(database, async (db) => {
      const account = await accounts.lockByEmail(username, db);
      const sent = isWithin && account && this.isServed(account) ? account : undefined;
      const challenge = {
        token: nonce,
        challengeState: hashOf(nonce, code, sent),
        lifetimeMs: lifetimes.code,
      };
      await challenges.add({ ...challenge, accountId: sent?.id ?? null }, db);
      const facts = { email: sent?.email ?? nobody, code, link: mailer.linkTo('sign-in', code) };
      await mailer.send('emailCode', { account: sent, ip }, facts, db);
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
    const { isOn, db, accounts, challenges, mailer, signIns } = this.parts;
    if (!isOn) throw new EmailCodesOffError();
    const row = await challenges.countTry(nonce, MAX_TRIES);
    const account = await accounts.findById(row?.accountId ?? 0);
    const isRight = row?.challengeState === hashOf(nonce, code, account) && account && this.isServed(account);
    if (isRight && (await challenges.use(nonce))) {
      await mailer.end('emailCode', account.id, db);
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
}

/** Hashes a code with the nonce, which is not stored, so that six digits stay secret. A new e-mail or full revocation ends it. */
function hashOf(nonce: string, code: string, account?: AccountRow): string {
  const bound = account && [account.id, account.emailKey, account.tokenGeneration];
  return createHash('sha256')
    .update(JSON.stringify(['email code', nonce, code, bound]))
    .digest('base64url');
}
