import { type Database, inTransaction, type Queries } from '@app/persistence';
import { renderSVG } from 'uqr';
import type { AccountRow } from '../account/account.table';
import type { SignedInUser } from '../access/access-check';
import type { Operator } from '../access/operator';
import { signInIdOf } from '../access/sid';
import { checkStillSignedIn } from '../access/sign-in-check';
import type { AccountsStore } from '../account/accounts.store';
import type { AuditLog } from '../audit/audit-log';
import { TooManyAttemptsError } from '../errors';
import type { SharedLimit } from '../limits/shared-limit';
import type { FactorChange } from '../mails/account-mails';
import type { AccountNotices } from '../mails/account-notices';
import type { Revocations } from '../revocation/revocations';
import type { SessionsStore } from '../sessions/sessions.store';
import { InvalidTotpCodeError, TotpEnrolledError, TotpNotEnrolledError } from './errors';
import { makeRecoveryCodes, recoveryCodeHash } from './recovery-code';
import { makeTotpSecret, stepOfCode, totpUri } from './totp-code';
import type { TotpEnrolment, TotpState } from './totp.dto';
import type { TotpSecrets } from './totp-secrets';
import type { TotpStore } from './totp.store';

/** How long a secret waits for the code that confirms it. */
export const ENROLMENT_MS = 3_600_000;

/** What {@link TotpEnrolments} uses. */
export interface TotpEnrolmentsParts {
  readonly db: Database;
  readonly accounts: AccountsStore;
  readonly sessions: SessionsStore;
  readonly revocations: Revocations;
  readonly store: TotpStore;
  readonly secrets: TotpSecrets;
  readonly notices: AccountNotices;
  readonly audit: AuditLog;
  /** Of the codes that an account sends to confirm an enrolment. */
  readonly codes: SharedLimit;
  /** As authenticator applications name the service. */
  readonly issuer: string;
}

/** Enrols authenticator applications as the second factor of accounts, and ends that. */
export class TotpEnrolments {
  constructor(private readonly parts: TotpEnrolmentsParts) {}

  /**
   * Makes a secret, which a code must confirm within an hour. An enrolment that was not confirmed ends.
   *
   * @throws TotpEnrolledError if the account has a confirmed one
   * @throws the errors of {@link checkStillSignedIn}
   */
  async begin(caller: SignedInUser): Promise<TotpEnrolment> {
    const { db, accounts, store, secrets, issuer } = this.parts;
    const secret = makeTotpSecret();
    const email = await inTransaction(db, async (transaction) => {
      await checkStillSignedIn(caller, transaction);
      const accountId = caller.userId;
      const sealed = secrets.seal(secret, accountId);
      if (!(await store.begin({ accountId, ...sealed, createdAt: new Date() }, transaction)))
        throw new TotpEnrolledError();
      return (await accounts.findById(accountId, transaction))?.email ?? caller.username;
    });
    const uri = totpUri(secret, email, issuer);
    return { secret, uri, qr: renderSVG(uri, { ecc: 'M', border: 4 }) };
  }

  /**
   * Confirms an enrolment: from now on sign-ins require a code. Every other sign-in of the account ends, since it verified none, and the
   * owner is notified.
   *
   * @returns the recovery codes
   * @throws TotpNotEnrolledError if there is no enrolment to confirm
   * @throws InvalidTotpCodeError, TooManyAttemptsError
   * @throws the errors of {@link checkStillSignedIn}
   */
  async confirm(caller: SignedInUser, code: string, ip: string): Promise<readonly string[]> {
    const { userId: id } = caller;
    const { accounts, codes, sessions, store, revocations } = this.parts;
    const waitMs = await codes.count(`totp:${id}`);
    if (waitMs > 0) throw new TooManyAttemptsError(waitMs);
    return revocations.inTransaction(async (db, revoke) => {
      const account = await this.lockCaller(caller, db);
      const step = await this.stepToConfirm(id, code, db);
      await store.confirm(id, step, db);
      revoke('account', id);
      const kept = signInIdOf(caller);
      await accounts.incrementTokenGeneration(id, kept, db);
      await sessions.removeAllOf(id, kept, db);
      await this.record('totp-enrolled', account, { ip }, db);
      return this.newRecoveryCodes(id, db);
    });
  }

  /** The second factor of an account. */
  async stateOf(accountId: number): Promise<TotpState> {
    const { store } = this.parts;
    const totp = await store.find(accountId);
    return {
      confirmedAt: totp?.confirmedAt ?? null,
      recoveryCodes: await store.countRecoveryCodes(accountId),
    };
  }

  /**
   * Replaces the recovery codes.
   *
   * @throws TotpNotEnrolledError
   * @throws the errors of {@link checkStillSignedIn}
   */
  replaceRecoveryCodes(caller: SignedInUser, ip: string): Promise<readonly string[]> {
    return inTransaction(this.parts.db, async (db) => {
      const account = await this.lockCaller(caller, db);
      const totp = await this.parts.store.find(account.id, db);
      if (totp === undefined || totp.confirmedAt === null) throw new TotpNotEnrolledError();
      await this.record('recovery-codes-replaced', account, { ip }, db);
      return this.newRecoveryCodes(account.id, db);
    });
  }

  /**
   * Ends the second factor of the caller, with its recovery codes; the owner is notified.
   *
   * @throws TotpNotEnrolledError
   * @throws the errors of {@link checkStillSignedIn}
   */
  async end(caller: SignedInUser, ip: string): Promise<void> {
    await inTransaction(this.parts.db, async (db) => {
      const account = await this.lockCaller(caller, db);
      if (!(await this.parts.store.remove(account.id, db))) throw new TotpNotEnrolledError();
      await this.record('totp-ended', account, { ip }, db);
    });
  }

  /**
   * Ends the second factor of an account for an operator; the owner is notified. Sign-ins stay.
   *
   * @returns whether the account had one
   * @throws the errors of {@link checkStillSignedIn}
   */
  endOf(accountId: number, operator: Operator): Promise<boolean> {
    const { accounts, store } = this.parts;
    return inTransaction(this.parts.db, async (db) => {
      await accounts.lockAdministrators(db);
      if (operator.caller) await checkStillSignedIn(operator.caller, db);
      const account = await accounts.lock(accountId, db);
      if (account === undefined || !(await store.remove(accountId, db))) return false;
      await this.record('totp-ended', account, operator, db);
      return true;
    });
  }

  private async lockCaller(caller: SignedInUser, db: Queries): Promise<AccountRow> {
    await checkStillSignedIn(caller, db);
    const account = await this.parts.accounts.lock(caller.userId, db);
    if (account === undefined) throw new TotpNotEnrolledError();
    return account;
  }

  /** The step of the code; the account is locked: the enrolment stays as it is. */
  private async stepToConfirm(accountId: number, code: string, db: Queries): Promise<number> {
    const { store, secrets } = this.parts;
    const totp = await store.find(accountId, db);
    const isPending = totp?.confirmedAt === null && totp.createdAt.getTime() > Date.now() - ENROLMENT_MS;
    const secret = isPending ? secrets.unseal(totp) : undefined;
    if (secret === undefined) throw new TotpNotEnrolledError();
    const step = stepOfCode(secret, code, new Date());
    if (step === undefined) throw new InvalidTotpCodeError();
    return step;
  }

  private async newRecoveryCodes(accountId: number, db: Queries): Promise<readonly string[]> {
    const recoveryCodes = makeRecoveryCodes();
    const hashes = recoveryCodes.map((code) => recoveryCodeHash(accountId, code));
    await this.parts.store.setRecoveryCodes(accountId, hashes, db);
    return recoveryCodes;
  }

  private async record(
    change: FactorChange,
    account: AccountRow,
    { actorId, ip }: Operator,
    db: Queries,
  ): Promise<void> {
    await this.parts.audit.record({ kind: change, accountId: account.id, actorId, ip }, db);
    const isByOperator = actorId !== undefined && actorId !== account.id;
    await this.parts.notices.addFactorChanged(account, { change, ip, isByOperator }, db);
  }
}
