import type { AccountRow } from '../account/account.table';
import type { SignInOrigin } from '../devices/sign-in-origin';

/** A factor that was verified at a sign-in. */
export interface VerifiedFactor {
  /** Such as `password`. */
  readonly kind: string;
  readonly at: Date;
}

/** The verified factors of a sign-in, in order; the first one is the password. */
export type VerifiedFactors = readonly [VerifiedFactor, ...VerifiedFactor[]];

/** The result of a factor; `not-required` if the account does not use it. */
export type FactorResult = 'verified' | 'rejected' | 'not-required';

/** A factor in addition to the password. An application registers it; there is none by default. */
export interface SignInFactor {
  /** As it is recorded, such as `totp`. */
  readonly kind: string;
  /**
   * Verifies the factor of a request. Called after the password and the factors before it were verified, within the limits of failed
   * sign-ins: a rejection counts as one.
   *
   * @throws HttpError that names what is missing
   */
  check(account: AccountRow, origin: SignInOrigin): Promise<FactorResult>;
}

/** The factors of an application, in the order in which they are checked. */
export class SignInFactors {
  /** @throws TypeError for two factors of one kind, or one that is named like the password */
  constructor(private readonly factors: readonly SignInFactor[] = []) {
    const kinds = ['password', ...factors.map(({ kind }) => kind)];
    const twice = kinds.find((kind, place) => kinds.indexOf(kind) !== place);
    if (twice !== undefined) throw new TypeError(`there are two factors ${twice}: give one another kind`);
  }

  /**
   * Verifies each factor, after the password.
   *
   * @returns the factors with the password, in order; `undefined` if one is rejected
   */
  async verify(account: AccountRow, origin: SignInOrigin): Promise<VerifiedFactors | undefined> {
    const verified: [VerifiedFactor, ...VerifiedFactor[]] = [{ kind: 'password', at: new Date() }];
    for (const factor of this.factors) {
      const result = await factor.check(account, origin);
      if (result === 'rejected') return undefined;
      if (result === 'verified') verified.push({ kind: factor.kind, at: new Date() });
    }
    return verified;
  }
}
