import { SignInOverloadError } from '@app/auth';
import { Database, inTransaction, type Queries } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import type { AccountRow } from '../account/account.table';
import { accountsChannels, type SignInOutcome } from '../channels';
import { AccountDisabledError, TooManyAttemptsError } from '../errors';
import type { Client } from '../devices/client';
import { type SignIn, SignInEndedError } from './sign-in';
import type { FactorProof } from './sign-in-factor';
import { SignInFactors } from './sign-in-factors';
import { SignInLimits } from './sign-in-limits';
import { type Issue, SignInRecord } from './sign-in-record';

/**
 * Verifies a sign-in's first factor, whichever way it takes. The same work is done, and the same failure returned, whether or not
 * there is an account.
 *
 * @returns `undefined` if it is rejected
 */
export type ProveFirst = () => Promise<SignIn | undefined>;

/** Records first e-mail proofs; a folder above implements it. */
export abstract class FirstProofs {
  /** Returns the account as it is then, `undefined` if it was removed. */
  abstract recordFirstProof(account: AccountRow, ip: string): Promise<AccountRow | undefined>;
}

/** The functions that make a sign-in's result. */
export interface SignInResult<T, Held> {
  readonly issue: Issue<T>;
  /**
   * Holds a sign-in that requires a second factor.
   *
   * @param kinds the factor kinds that can complete the sign-in
   */
  readonly hold: (signIn: SignIn, kinds: readonly string[], db: Queries) => Promise<Held>;
}

/** A sign-in's published outcome, and its result. */
interface Ended<T> {
  /** The published outcome; absent for a sign-in that requires a second factor. */
  readonly outcome?: SignInOutcome;
  readonly value?: T;
}

/** A sign-in from its first factor to its tokens. */
@Injectable()
export class SignInSequence {
  constructor(
    private readonly db: Database,
    private readonly factors: SignInFactors,
    private readonly limits: SignInLimits,
    private readonly record: SignInRecord,
    private readonly firstProofs: FirstProofs,
  ) {}

  /**
   * Begins a sign-in by a first factor, and records it if that factor suffices. The outcome is published.
   *
   * @returns `undefined` if the factor is rejected
   * @throws AccountDisabledError if the factor is right, but the account is disabled
   * @throws the `prove` errors
   */
  begin<T, Held>(
    prove: ProveFirst,
    client: Client,
    { issue, hold }: SignInResult<T, Held>,
  ): Promise<T | Held | undefined> {
    return published<T | Held>(async () => {
      const first = await prove();
      if (first === undefined) return rejected;
      if (first.account.disabledAt !== null) await this.use(first);
      await this.checkEnabled(first.account, client);
      const signIn = await this.afterFirstProof(first, client.ip);
      if (signIn === undefined) return rejected;
      const enrolled = signIn.state?.enrolled ?? (await this.factors.enrolledOf(signIn.account.id));
      const kinds = this.factors.pendingOf(enrolled, signIn.factors);
      if (kinds.length === 0) return this.recorded(signIn, client, issue);
      return { value: await this.use(signIn, (db) => hold(signIn, kinds, db)) };
    });
  }

  /**
   * Completes a sign-in by its second factor. A wrong factor counts as a failed sign-in for the account. It has its own counter,
   * because somebody who knows the password could reset the password's counter.
   *
   * @returns `undefined` if the factor is rejected
   * @throws AccountDisabledError, TooManyAttemptsError
   */
  complete<T>(
    { account, factors, state = {} }: SignIn,
    { kind, proof }: { readonly kind: string; readonly proof: FactorProof },
    client: Client,
    issue: Issue<T>,
  ): Promise<T | undefined> {
    return published(async () => {
      await this.checkEnabled(account, client);
      const attempt = { username: account.email, ip: client.ip, step: 'second factor' };
      await this.limits.checkAllowed(attempt, state.attempts);
      const enrolled = state.enrolled ?? (await this.factors.enrolledOf(account.id));
      const isOffered = this.factors.pendingOf(enrolled, factors).includes(kind);
      const factor = isOffered ? this.factors.find(kind) : undefined;
      const verified = await factor?.verify?.(account.id, proof, client, enrolled.get(kind));
      const fail = async () => {
        await this.limits.checkAllowed(attempt);
        await this.limits.countFailure(attempt, { accountId: account.id, reason: 'factor', factor: kind });
        return rejected;
      };
      if (verified === undefined) return fail();
      const { amr, use: useProof } = 'amr' in verified ? verified : { amr: verified };
      const use = async (db: Queries) => {
        await this.limits.succeed(attempt, db);
        await state.use?.(db);
        if (useProof && !(await useProof(db))) throw new SignInEndedError(true);
      };
      const all = [...factors, { kind, amr, at: new Date() }] as const;
      const signIn = { account, factors: all, state: { ...state, use } };
      try {
        return await this.recorded(signIn, client, issue);
      } catch (error) {
        if (!(error instanceof SignInEndedError)) throw error;
        return error.isWrongFactor ? fail() : rejected;
      }
    });
  }

  /** Ends earlier enrolments when a factor first proves the account's e-mail, because somebody else may have made them (D51). */
  private async afterFirstProof(signIn: SignIn, ip: string): Promise<SignIn | undefined> {
    const provesEmail = signIn.factors.some(({ kind }) => this.factors.find(kind)?.provesEmail === true);
    if (!provesEmail || signIn.account.emailVerifiedAt !== null) return signIn;
    const account = await this.firstProofs.recordFirstProof(signIn.account, ip);
    return account && { ...signIn, account, state: { ...signIn.state, enrolled: undefined } };
  }

  private async recorded<T>(signIn: SignIn, client: Client, issue: Issue<T>): Promise<Ended<T>> {
    const recorded = await this.record.record(signIn, client, issue);
    if (recorded === undefined) return rejected;
    // It may have been disabled since its factor was verified.
    await this.checkEnabled(recorded.account, client);
    return { outcome: 'succeeded', value: recorded.value };
  }

  /** Uses up a sign-in's single-use parts, before the client learns the outcome of a sign-in that is not recorded. */
  private use<Value = void>(
    { state }: SignIn,
    then?: (db: Queries) => Promise<Value>,
  ): Promise<Value | undefined> {
    return inTransaction(this.db, async (db) => {
      await state?.use?.(db);
      return then?.(db);
    });
  }

  private async checkEnabled({ id, disabledAt }: AccountRow, { ip }: Client): Promise<void> {
    if (disabledAt === null) return;
    await this.limits.fail({ accountId: id, reason: 'disabled' }, ip);
    throw new AccountDisabledError();
  }
}

const rejected = { outcome: 'wrong-credentials' } as const;

async function published<T>(run: () => Promise<Ended<T>>): Promise<T | undefined> {
  try {
    const { outcome, value } = await run();
    if (outcome !== undefined) publish(outcome);
    return value;
  } catch (error) {
    publishRefusal(error);
    throw error;
  }
}

/** Publishes a refusal. An unavailable store is not an outcome, so it is skipped. */
function publishRefusal(error: unknown): void {
  if (error instanceof AccountDisabledError) publish('disabled');
  else if (error instanceof TooManyAttemptsError || error instanceof SignInOverloadError) publish('refused');
}

function publish(outcome: SignInOutcome): void {
  if (accountsChannels.signIn.hasSubscribers) accountsChannels.signIn.publish(outcome);
}
