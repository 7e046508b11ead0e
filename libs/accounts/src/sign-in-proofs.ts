import type { AccountRow } from '@app/persistence';
import type { SignInOrigin } from './sign-in-origin';

/** Something that was proved at a sign-in. */
export interface Proof {
  /** Such as `password`. */
  readonly kind: string;
  readonly at: Date;
}

/** What was proved, in order; the first one is the password. */
export type Proofs = readonly [Proof, ...Proof[]];

/** How a factor judges a sign-in; `not-needed` if the account does not use it. */
export type FactorResult = 'proved' | 'refused' | 'not-needed';

/** What an account proves in addition to its password. An application registers it; there is none by default. */
export interface SignInFactor {
  /** As it is recorded, such as `totp`. */
  readonly kind: string;
  /**
   * Checks what a request proves. It is called after the password and the factors before were proved, within the limits of failed
   * sign-ins: a refusal counts as one.
   *
   * @throws HttpError that tells the client what is missing
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
   * Checks each factor, after the password.
   *
   * @returns the proofs with that of the password, in order; `undefined` if a factor refuses
   */
  async prove(account: AccountRow, origin: SignInOrigin): Promise<Proofs | undefined> {
    const proofs: [Proof, ...Proof[]] = [{ kind: 'password', at: new Date() }];
    for (const factor of this.factors) {
      const result = await factor.check(account, origin);
      if (result === 'refused') return undefined;
      if (result === 'proved') proofs.push({ kind: factor.kind, at: new Date() });
    }
    return proofs;
  }
}
