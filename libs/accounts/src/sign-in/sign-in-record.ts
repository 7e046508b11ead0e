import type { Queries } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import type { AccountRow } from '../account/account.table';
import { AccountsStore, type SignedInNow } from '../account/accounts.store';
import { type AuditEvent, AuditLog } from '../audit/audit-log';
import type { Client } from '../devices/client';
import { NewDevices } from '../devices/new-devices';
import type { SignIn } from './sign-in';
import { SignInFactors } from './sign-in-factors';
import { Mailer } from '../mails/mailer';
import { Revocations, type Revoke } from '../revocation/revocations';

/** The transaction that records a sign-in. */
export interface SignInTransaction extends SignedInNow {
  readonly db: Queries;
  readonly revoke: Revoke;
}

/** The result that a sign-in issues. */
export interface Issued<T> {
  readonly value: T;
  /** The event to record after the sign-in, if any. */
  readonly event?: AuditEvent;
}

/** Issues a sign-in's result, in the transaction that records the sign-in. */
export type Issue<T> = (signIn: SignIn, transaction: SignInTransaction) => Promise<Issued<T>>;

/** A sign-in after its transaction. */
export interface Recorded<T> {
  readonly account: AccountRow;
  /** The issued value; `undefined` if the account is disabled, in which case nothing is recorded. */
  readonly value?: T;
}

/** Records sign-ins with verified factors, and issues their results. */
@Injectable()
export class SignInRecord {
  constructor(
    private readonly store: AccountsStore,
    private readonly factors: SignInFactors,
    private readonly devices: NewDevices,
    private readonly mailer: Mailer,
    private readonly revocations: Revocations,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Records a sign-in with its factors and their times. The factors were verified before the transaction, so the account may
   * have changed meanwhile.
   *
   * @returns `undefined` if the account was removed, its password changed, or it now requires a further factor
   * @throws SignInEndedError, TooManyAttemptsError
   */
  record<T>(signIn: SignIn, client: Client, issue: Issue<T>): Promise<Recorded<T> | undefined> {
    return this.revocations.inTransaction(async (db, revoke) => {
      const recorded = await this.update(signIn, client, db);
      if (recorded === undefined) return undefined;
      const { sessions = 0, storeTime = null, ...account } = recorded;
      await signIn.state?.use?.(db);
      if (account.disabledAt !== null) return { account };
      const { isNew, isNotified } = await this.devices.record(signIn.account, client, db);
      const { ip, device } = client;
      if (isNotified)
        await this.mailer.send(
          'newDevice',
          { account, ip },
          { email: account.email, ip, device, at: new Date() },
          db,
        );
      const { value, event } = await issue({ ...signIn, account }, { db, revoke, sessions, storeTime });
      const detail = detailOf(signIn, isNew);
      const ofSignIn = { kind: 'sign-in', accountId: account.id, ip, detail } as const;
      await this.audit.recordAll(event === undefined ? [ofSignIn] : [ofSignIn, event], db);
      return { account, value };
    });
  }

  /** Updates the account, which locks it. An account that changed since its factors were verified is locked and checked first. */
  private async update(
    { account, factors, state }: SignIn,
    { ip }: Client,
    db: Queries,
  ): Promise<(AccountRow & Partial<SignedInNow>) | undefined> {
    const { id, tokenGeneration } = account;
    const signIn = { id, ip, passwordHash: state?.passwordHash ?? null };
    const recorded = await this.store.recordSignIn({ ...signIn, tokenGeneration }, db);
    if (recorded !== undefined) return recorded;
    const now = await this.store.lock(id, db);
    if (now === undefined) return undefined;
    if (now.tokenGeneration !== tokenGeneration) {
      // What was proven before can be proven again; the token of a second factor ends with all access.
      if (now.passwordHash !== account.passwordHash || factors.length > 1) return undefined;
      if (this.factors.pendingOf(await this.factors.enrolledOf(id, db), factors).length > 0) return undefined;
    }
    if (now.disabledAt !== null) return now;
    return this.store.recordSignIn({ ...signIn, tokenGeneration: now.tokenGeneration }, db);
  }
}

function detailOf({ factors }: SignIn, isNewDevice: boolean) {
  const names = factors.flatMap(({ name }) => name ?? []);
  return {
    ...(isNewDevice && { newDevice: true }),
    ...(names.length > 0 && { names }),
    factors: factors.map(({ kind }) => kind),
    verifiedAt: factors.map(({ at }) => at.toISOString()),
  };
}
