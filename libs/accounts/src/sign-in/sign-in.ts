import type { Queries } from '@app/persistence';
import type { AccountRow } from '../account/account.table';
import type { AttemptRow } from '../limits/attempt.table';
import type { EnrolledStates, VerifiedFactors } from './sign-in-factor';

/** A sign-in in progress, with verified factors but without tokens. */
export interface SignIn {
  /** The account as it was when the last factor was verified, or as the recorded sign-in left it. */
  readonly account: AccountRow;
  readonly factors: VerifiedFactors;
  readonly state?: SignInState;
}

/** The state that a sign-in carries until it is recorded. */
export interface SignInState {
  /** A new hash for the same password if the stored hash has outdated parameters. */
  readonly passwordHash?: string | null;
  /** The name that the client has given its device with the first factor. */
  readonly device?: string | null;
  /** The account's enrolments, if they were read with the account. */
  readonly enrolled?: EnrolledStates;
  /** The failures of the address, if they were read with the account. */
  readonly attempts?: readonly AttemptRow[];
  /**
   * Uses up the sign-in's single-use parts in the outcome's transaction, such as a token, a code and the attempts so far. A
   * refusal here keeps the outcome secret.
   *
   * @throws SignInEndedError, TooManyAttemptsError
   */
  readonly use?: (db: Queries) => Promise<void>;
}

/** Rolls back a sign-in that cannot be recorded. */
export class SignInEndedError extends Error {
  /** @param isWrongFactor whether it counts as a wrong factor, such as an already used code */
  constructor(readonly isWrongFactor = false) {
    super('the sign-in has ended');
  }
}
