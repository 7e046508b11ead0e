import type { Queries } from '@app/persistence';
import { TooManySignUpsError } from '../errors';
import { addressSubject } from '../limits/attempt-subjects';
import type { AttemptsStore } from '../limits/attempts.store';
import { Limiter } from '../limits/limiter';
import type { AccountsOptions } from '../options';
import type { AccountRow } from './account.table';

/** A sign-up that asks for admission. */
export interface SignUpRequest {
  /** The new account's e-mail; absent if an identity provider tells none. */
  readonly email?: string;
  /** Whether a trusted identity provider has verified the e-mail, so that an invitation to it needs no secret. */
  readonly isEmailProven: boolean;
  /** The invitation secret that the client sent. */
  readonly invitation?: string;
}

/** The admission of a sign-up. */
export interface Admission {
  /** Whether the invitation proves that the new user reads the e-mail. */
  readonly provesEmail: boolean;
  /** Uses the invitation for the new account, in the transaction that creates the account. */
  accept(account: AccountRow, db: Queries): Promise<void>;
}

/** A plugin's invitations. */
export interface SignUpInvitations {
  /** Finds and locks the invitation for a sign-up. Returns `undefined` if it is missing, used or expired. */
  find(request: SignUpRequest, db: Queries): Promise<Admission | undefined>;
}

const openAdmission: Admission = { provesEmail: false, accept: () => Promise.resolve() };

/** Decides who may create an account. */
export class SignUpAdmission {
  /** Whether nobody can sign up. */
  readonly isOff: boolean;
  private readonly perAddress: Limiter;

  /** @param invitations the plugins' invitations */
  constructor(
    private readonly options: AccountsOptions,
    attempts: AttemptsStore,
    private readonly invitations: readonly SignUpInvitations[] = [],
  ) {
    const { SIGN_UP: signUp, SIGN_UP_ADDRESS_LIMIT: perAddress } = options.settings;
    this.isOff = signUp === 'off' || (signUp === 'invited' && invitations.length === 0);
    this.perAddress = new Limiter(perAddress, attempts);
  }

  /**
   * Counts a sign-up before any work. An IPv6 address counts by its /64 (D24).
   *
   * @throws TooManySignUpsError
   */
  async count(ip: string): Promise<void> {
    const waitMs = await this.perAddress.count(`sign-up:${addressSubject(ip)}`);
    if (waitMs > 0) throw new TooManySignUpsError(waitMs);
  }

  /**
   * Admits a sign-up: by its invitation, or while sign-up is open.
   *
   * @returns `undefined` if the sign-up is refused
   */
  async admit(request: SignUpRequest, db: Queries): Promise<Admission | undefined> {
    if (this.isOff) return undefined;
    const { isSignUpOpen } = this.options;
    if (isSignUpOpen && request.invitation === undefined) return openAdmission;
    for (const invitations of this.invitations) {
      const admission = await invitations.find(request, db);
      if (admission !== undefined) return admission;
    }
    return undefined;
  }
}
