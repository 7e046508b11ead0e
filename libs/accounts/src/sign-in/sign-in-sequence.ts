import { SignInOverloadError } from '@app/auth';
import type { AccountRow } from '../account/account.table';
import { accountsChannels, type SignInOutcome } from '../channels';
import { AccountDisabledError, TooManyAttemptsError } from '../errors';
import type { SignInOrigin } from '../devices/sign-in-origin';
import type { FactorProof } from '../factors/sign-in-factor';
import type { SignInFactors } from '../factors/sign-in-factors';
import type { FoundSignIn } from './pending-sign-ins';
import type { SignInLimits } from './sign-in-limits';
import type { ProvenSignIn, SignInRecord, UseOnce } from './sign-in-record';

/**
 * Verifies the first factor of a sign-in, whichever way it takes. The same work is done, and the same failure returned, whether or not there is
 * an account.
 *
 * @returns `undefined` if it is rejected
 */
export type ProveFirst = () => Promise<ProvenSignIn | undefined>;

/** Records the first proof of an e-mail; returns the account as it is then, `undefined` if it was removed. */
export type RecordFirstProof = (account: AccountRow, ip: string) => Promise<AccountRow | undefined>;

/** A sign-in for which tokens may be issued. */
export interface RecordedSignIn extends ProvenSignIn {
  /** As it was when the sign-in was recorded. */
  readonly account: AccountRow;
}

/** A sign-in that requires a second factor. */
export interface UnfinishedSignIn {
  readonly proven: ProvenSignIn;
  /** The kinds of the factors of which one is required. */
  readonly pending: readonly string[];
}

/** What is sent with the token of a pending sign-in. */
export interface GivenFactor {
  readonly kind: string;
  readonly proof: FactorProof;
}

/** A sign-in until its tokens are issued: its factors are verified, in any order, then it is recorded. */
export class SignInSequence {
  constructor(
    private readonly factors: SignInFactors,
    private readonly limits: SignInLimits,
    private readonly record: SignInRecord,
    private readonly recordFirstProof: RecordFirstProof,
  ) {}

  /**
   * Begins a sign-in by a first factor, and records it if no other one is required. The outcome is published.
   *
   * @returns `undefined` if the factor is rejected
   * @throws AccountDisabledError if it is right, but the account is disabled
   * @throws the errors of `prove`
   */
  begin(prove: ProveFirst, origin: SignInOrigin): Promise<RecordedSignIn | UnfinishedSignIn | undefined> {
    return published(async () => {
      const first = await prove();
      if (first === undefined) return undefined;
      await this.checkEnabled(first.account, origin);
      const proven = await this.afterFirstProof(first, origin.ip);
      if (proven === undefined) return undefined;
      const pending = await this.factors.pendingOf(proven.account.id, proven.factors);
      return pending.length > 0 ? { proven, pending } : this.recorded(proven, origin);
    });
  }

  /**
   * Completes a sign-in by its second factor. A wrong one counts as a failed sign-in of the account, apart from those with its password, which
   * somebody who knows that could otherwise reset.
   *
   * @returns `undefined` if the factor is rejected
   * @throws AccountDisabledError, TooManyAttemptsError
   */
  complete(
    found: FoundSignIn,
    given: GivenFactor,
    origin: SignInOrigin,
  ): Promise<RecordedSignIn | undefined> {
    return published(async () => {
      const { account, factors } = found;
      const { kind, proof } = given;
      await this.checkEnabled(account, origin);
      const offered = await this.factors.pendingOf(account.id, factors);
      const factor = offered.includes(kind) ? this.factors.find(kind) : undefined;
      const amr = await this.limits.signIn(account.email, origin.ip, {
        run: async () => factor?.verify?.(account.id, proof, origin),
        failure: { accountId: account.id, reason: 'factor', factor: kind },
        step: 'second factor',
      });
      if (amr === undefined) return undefined;
      const verified = [...factors, { kind, amr, at: new Date() }] as const;
      return this.recorded({ ...found, factors: verified }, origin, found.use);
    });
  }

  /** The first factor that proves the e-mail of an account ends what somebody else may have enrolled before (D51). */
  private async afterFirstProof(proven: ProvenSignIn, ip: string): Promise<ProvenSignIn | undefined> {
    const provesEmail = proven.factors.some(({ kind }) => this.factors.find(kind)?.provesEmail === true);
    if (!provesEmail || proven.account.emailVerifiedAt !== null) return proven;
    const account = await this.recordFirstProof(proven.account, ip);
    return account && { ...proven, account };
  }

  private async recorded(
    proven: ProvenSignIn,
    origin: SignInOrigin,
    use?: UseOnce,
  ): Promise<RecordedSignIn | undefined> {
    const account = await this.record.record(proven, origin, use);
    if (account === undefined) return undefined;
    // It may have been disabled since its factor was verified.
    await this.checkEnabled(account, origin);
    return { ...proven, account };
  }

  private async checkEnabled({ id, disabledAt }: AccountRow, { ip }: SignInOrigin): Promise<void> {
    if (disabledAt === null) return;
    await this.limits.fail({ accountId: id, reason: 'disabled' }, ip);
    throw new AccountDisabledError();
  }
}

/** A sign-in that requires a second factor has no outcome yet. */
async function published<SignIn extends object>(
  run: () => Promise<SignIn | undefined>,
): Promise<SignIn | undefined> {
  try {
    const signIn = await run();
    if (signIn === undefined) publish('wrong-credentials');
    else if (!('pending' in signIn)) publish('succeeded');
    return signIn;
  } catch (error) {
    publishRefusal(error);
    throw error;
  }
}

/** Not for an unavailable store, which is no outcome of a sign-in. */
function publishRefusal(error: unknown): void {
  if (error instanceof AccountDisabledError) publish('disabled');
  else if (error instanceof TooManyAttemptsError || error instanceof SignInOverloadError) publish('refused');
}

function publish(outcome: SignInOutcome): void {
  if (accountsChannels.signIn.hasSubscribers) accountsChannels.signIn.publish(outcome);
}
