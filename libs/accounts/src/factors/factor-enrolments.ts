import { UnauthenticatedError } from '@app/auth';
import { Database, inTransaction, type Queries } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import type { AccountRow } from '../account/account.table';
import type { SignedInUser } from '../access/access-check';
import type { Actor } from '../access/actor';
import { signInIdOf } from '../access/sid';
import { checkStillSignedIn } from '../access/sign-in-check';
import { AccountsStore } from '../account/accounts.store';
import { AuditLog } from '../audit/audit-log';
import type { EnrolledFactor, SignInFactor } from '../sign-in/sign-in-factor';
import { SignInFactors } from '../sign-in/sign-in-factors';
import type { FactorChange } from '../mails/account-mails';
import { Mailer } from '../mails/mailer';
import { Revocations, type Revoke } from '../revocation/revocations';
import { SessionsStore } from '../sessions/sessions.store';
import { LastFactorError } from './errors';
import { checkFactorsInUse, recordFactorInUse } from './factors-in-use';

/** A factor's kind and name. */
export type NamedFactor = Pick<EnrolledFactor, 'kind'> & Partial<Pick<EnrolledFactor, 'name'>>;

/** Adds and ends factors of any kind, and notifies the account's owner. */
@Injectable()
export class FactorEnrolments {
  constructor(
    private readonly db: Database,
    private readonly factors: SignInFactors,
    private readonly accounts: AccountsStore,
    private readonly sessions: SessionsStore,
    private readonly revocations: Revocations,
    private readonly mailer: Mailer,
    private readonly audit: AuditLog,
  ) {}

  /** Runs {@link checkFactorsInUse} for the program. */
  checkInUse(): Promise<void> {
    return checkFactorsInUse(this.factors, this.db);
  }

  list(accountId: number): Promise<EnrolledFactor[]> {
    return this.factors.list(accountId);
  }

  /**
   * Runs a change to the caller's factors in a transaction that locks the account, and records nothing.
   *
   * @throws the {@link checkStillSignedIn} errors
   */
  change<T>(caller: SignedInUser, change: (account: AccountRow, db: Queries) => Promise<T>): Promise<T> {
    return inTransaction(this.db, async (db) => change(await this.lockCaller(caller, db), db));
  }

  /**
   * Adds a factor and notifies the owner. If sign-ins now require the factor, every other sign-in to the account ends, because
   * it did not verify the factor. Sign-ins that wait for a second factor end too.
   *
   * @param enrol a function that adds the factor, or throws
   * @throws the {@link checkStillSignedIn} errors
   */
  add<T>(
    caller: SignedInUser,
    { kind, name }: NamedFactor,
    ip: string,
    enrol: (account: AccountRow, db: Queries) => Promise<T>,
  ): Promise<T> {
    return this.revocations.inTransaction(async (db, revoke) => {
      const account = await this.lockCaller(caller, db);
      const enrolled = await enrol(account, db);
      await recordFactorInUse(kind, db);
      if (this.factors.find(kind)?.role === 'second') {
        revoke('account', account.id);
        const kept = signInIdOf(caller);
        await this.accounts.incrementTokenGeneration(account.id, kept, db);
        await this.sessions.removeAllOf(account.id, kept, db);
      }
      await this.record(account, { kind, name }, 'enrolled', { client: { ip } }, db);
      return enrolled;
    });
  }

  /**
   * Ends a factor of the caller. If it was the last second factor, the backup factors, such as recovery codes, end as well.
   *
   * @returns whether the caller had the factor
   * @throws LastFactorError if the caller has no other way to sign in
   * @throws the {@link checkStillSignedIn} errors
   */
  end(caller: SignedInUser, id: string, ip: string): Promise<boolean> {
    return this.revocations.inTransaction(async (db, revoke) =>
      this.endOne(await this.lockCaller(caller, db), id, { client: { ip } }, db, revoke),
    );
  }

  /** Ends a factor for an operator, as {@link end} does. The account's sign-ins stay. */
  endFor(accountId: number, id: string, actor: Actor): Promise<boolean> {
    return this.revocations.inTransaction(async (db, revoke) => {
      await this.accounts.lockAdministrators(db);
      if (actor.caller) await checkStillSignedIn(actor.caller, db);
      const account = await this.accounts.lock(accountId, db);
      return account !== undefined && this.endOne(account, id, actor, db, revoke);
    });
  }

  /** Returns whether an account has enrolled a second factor, so that recovery codes are accepted in its place. */
  async hasSecond(accountId: number, db: Queries): Promise<boolean> {
    const { factors } = this;
    return (await factors.list(accountId, db)).some(({ kind }) => factors.find(kind)?.role === 'second');
  }

  /**
   * Issues recovery codes to an account that lacks them.
   *
   * @returns the codes; empty if the account already has codes, or the program does not accept them
   */
  async issueMissing(accountId: number, db: Queries): Promise<string[]> {
    const codes: string[] = [];
    for (const factor of this.factors.all)
      if (factor.issue && (await factor.list(accountId, db)).length === 0)
        codes.push(...(await factor.issue(accountId, db)));
    return codes;
  }

  /** Records a factor change, and notifies the owner. */
  async record(
    account: AccountRow,
    { kind, name }: NamedFactor,
    change: FactorChange,
    { id: actorId, client }: Actor,
    db: Queries,
  ): Promise<void> {
    const ip = client?.ip;
    const detail = { factor: kind, ...(name != null && { name }) };
    await this.audit.record({ kind: `factor-${change}`, accountId: account.id, actorId, ip, detail }, db);
    const isByOperator = actorId !== undefined && actorId !== account.id;
    const factor = this.factors.find(kind)?.title ?? kind;
    const facts = { email: account.email, factor, change, isByOperator, at: new Date() };
    const ofOwner = isByOperator ? {} : { ip };
    await this.mailer.send('factorChanged', { account, ip }, { ...facts, ...ofOwner }, db);
  }

  private async endOne(
    account: AccountRow,
    id: string,
    by: Actor,
    db: Queries,
    revoke: Revoke,
  ): Promise<boolean> {
    const before = await this.factors.list(account.id, db);
    const ended = before.find((enrolled) => enrolled.id === id);
    if (ended === undefined) return false;
    const factor = this.factors.find(ended.kind);
    const left = before
      .filter((enrolled) => enrolled.id !== id)
      .map((enrolled) => this.factors.find(enrolled.kind));
    if (!factor?.end || !left.some(begins)) throw new LastFactorError();
    await factor.end(account.id, id, db);
    // Every program then reads the account state again, which says whether there is a second factor.
    revoke('account', account.id);
    if (!left.some((remaining) => remaining?.role === 'second'))
      for (const remaining of left)
        if (remaining?.role === 'backup') await remaining.end?.(account.id, undefined, db);
    await this.record(account, ended, 'ended', by, db);
    return true;
  }

  private async lockCaller(caller: SignedInUser, db: Queries): Promise<AccountRow> {
    await checkStillSignedIn(caller, db);
    const account = await this.accounts.lock(caller.userId, db);
    if (account === undefined) throw new UnauthenticatedError();
    return account;
  }
}

function begins(factor: SignInFactor | undefined): boolean {
  return factor?.beginsSignIns ?? factor?.role === 'first';
}
