import type { Queries } from '@app/persistence';
import type { Client } from '../devices/client';
import type { Expression } from 'kysely';

/** A factor that was verified at a sign-in. */
export interface VerifiedFactor {
  /** Such as `password`. */
  readonly kind: string;
  /** How, such as `pwd`; with `mfa` if it is of two factors by itself. @see RFC 8176 */
  readonly amr: readonly string[];
  readonly at: Date;
  /** Which one, where an account has several, such as the name of an identity provider. */
  readonly name?: string;
  /** When an identity provider verified the user, in seconds since 1970, 0 if it does not say; absent if it was verified here. */
  readonly authTime?: number;
}

/** The verified factors of a sign-in, in order. */
export type VerifiedFactors = readonly [VerifiedFactor, ...VerifiedFactor[]];

/** What an account has enrolled of a factor. */
export interface EnrolledFactor {
  /** Of all factors of the account, such as `totp` or `passkey-7`. */
  readonly id: string;
  readonly kind: string;
  /** Given by its owner; `null` if it has none. */
  readonly name: string | null;
  /** `null` if it is not known. */
  readonly createdAt: Date | null;
  /** How many uses are left; `null` if that is not limited. */
  readonly remaining: number | null;
}

/** The members of a request that prove a factor, such as `code`; their rules were checked, each may be absent. */
export type FactorProof = Readonly<Record<string, unknown>>;

/** A proof that was verified, and is used in the transaction that records the sign-in. */
export interface ProvenFactor {
  /** @see RFC 8176 */
  readonly amr: readonly string[];
  /** Uses the proof: of several uses at once, in whatever programs, one succeeds. */
  readonly use: (db: Queries) => Promise<boolean>;
}

/** What an account has enrolled, by the kind of the factor: what {@link SignInFactor.enrolled} selects, or `true`. */
export type EnrolledStates = ReadonlyMap<string, unknown>;

/**
 * What a factor is good for. `first` begins sign-ins alone. `second` is required after another factor by the accounts that have enrolled it,
 * and may begin sign-ins too. `backup` is accepted in place of a second factor, and ends with the last one.
 */
export type FactorRole = 'first' | 'second' | 'backup';

/** A factor of sign-ins, which a plugin declares. */
export interface SignInFactor {
  /** As it is recorded, such as `totp`. */
  readonly kind: string;
  /** In mails, such as `An authenticator application`. */
  readonly title: string;
  readonly role: FactorRole;
  /** Whether an account that has enrolled it can sign in without any other factor of role `first`; default by the role. */
  readonly beginsSignIns?: boolean;

  /** Whether it proves that its owner reads the e-mail of the account; default `false`. */
  readonly provesEmail?: boolean;

  /** What an account has enrolled. */
  list(accountId: number, db?: Queries): Promise<readonly EnrolledFactor[]>;

  /**
   * Selects what an account has enrolled, for the one query that reads it of all factors: a value that {@link verify} is given, and that is null
   * if nothing is enrolled. Without it, {@link list} is asked.
   */
  enrolled?(account: Expression<number>, db: Queries): Expression<unknown>;
  /**
   * Verifies it after another factor, within the limits of failed sign-ins. A proof is accepted once, of several at once, in whatever programs.
   *
   * @param state what {@link enrolled} selects
   * @returns the `amr` of RFC 8176; `undefined` if it is rejected
   */
  verify?(
    accountId: number,
    proof: FactorProof,
    client: Client,
    state: unknown,
  ): Promise<readonly string[] | ProvenFactor | undefined>;

  /**
   * Issues codes in place of the previous ones, for a factor of the role `backup`.
   *
   * @param db the transaction that enrols a second factor
   */
  issue?(accountId: number, db: Queries): Promise<string[]>;

  /**
   * Ends what an account has enrolled.
   *
   * @param id of one; `undefined` for all
   * @returns whether there was any
   */
  end?(accountId: number, id: string | undefined, db: Queries): Promise<boolean>;
}

/** The `amr` of a sign-in: how each factor was verified, and `mfa` if there is more than one. */
export function amrOf(factors: VerifiedFactors): string[] {
  const methods = factors.flatMap(({ amr }) => amr);
  return [...new Set(factors.length > 1 ? [...methods, 'mfa'] : methods)];
}

/** The claims of a token that say how its sign-in was verified. */
export function factorClaims(amr: readonly string[]): { amr: readonly string[]; acr: string } {
  return { amr, acr: amr.includes('mfa') ? 'aal2' : 'aal1' };
}

/** The last factor of a sign-in, which says how recent it is. */
export function lastOf(factors: VerifiedFactors): VerifiedFactor {
  return factors.at(-1) ?? factors[0];
}
