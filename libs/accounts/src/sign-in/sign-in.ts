import type { Queries } from '@app/persistence';
import type { AccountRow } from '../account/account.table';
import type { AttemptRow } from '../limits/attempt.table';
import type { EnrolledStates, VerifiedFactors } from './sign-in-factor';

/** A sign-in in progress: its factors are verified, and no token is issued yet. */
export interface SignIn {
  /** The account as it was when the last factor was verified, or as the record of the sign-in left it. */
  readonly account: AccountRow;
  readonly factors: VerifiedFactors;
  readonly state?: SignInState;
}

/** What a sign-in carries until it is recorded. */
export interface SignInState {
  /** A new hash of the same password if the stored hash has outdated parameters. */
  readonly passwordHash?: string | null;
  /** The name that the client has given its device with the first factor. */
  readonly device?: string | null;
  /** What the account has enrolled, if it was read with the account. */
  readonly enrolled?: EnrolledStates;
  /** The failures of the address, if they were read with the account. */
  readonly attempts?: readonly AttemptRow[];
  /**
   * Takes, in the transaction of the outcome, what the sign-in uses once: a token, a code, the attempts until now. Nothing is told of a sign-in
   * that is refused here.
   *
   * @throws SignInEndedError, TooManyAttemptsError
   */
  readonly use?: (db: Queries) => Promise<void>;
}

/** Rolls back a sign-in that cannot be recorded. */
export class SignInEndedError extends Error {
  /** @param isWrongFactor whether it counts as a wrong factor, such as a code that was used before */
  constructor(readonly isWrongFactor = false) {
    super('the sign-in has ended');
  }
}
