import type { Queries } from '@app/persistence';
import type { Client } from '../devices/client';
import type { Expression } from 'kysely';

/** A factor that was verified at a sign-in. */
export interface VerifiedFactor {
  /** The factor kind, such as `password`. */
  readonly kind: string;
  /** The methods, such as `pwd` (RFC 8176); with `mfa` if this factor alone counts as two factors. */
  readonly amr: readonly string[];
  readonly at: Date;
  /** The name that distinguishes several factors of this kind, such as an identity provider's name. */
  readonly name?: string;
  /**
   * The time when an identity provider verified the user, in seconds since 1970; 0 if unknown, absent if we verified the user.
   */
  readonly authTime?: number;
}

/** A sign-in's verified factors, in order. */
export type VerifiedFactors = readonly [VerifiedFactor, ...VerifiedFactor[]];

/** A factor that an account has enrolled. */
export interface EnrolledFactor {
  /** The id, unique among the account's factors, such as `totp` or `passkey-7`. */
  readonly id: string;
  readonly kind: string;
  /** The name that its owner gave it, or `null`. */
  readonly name: string | null;
  /** The enrolment time; `null` if it is unknown. */
  readonly createdAt: Date | null;
  /** The number of remaining uses; `null` if they are unlimited. */
  readonly remaining: number | null;
}

/** The request members that prove a factor, such as `code`; their rules were checked, each may be absent. */
export type FactorProof = Readonly<Record<string, unknown>>;

/** A proof that was verified, and is used in the transaction that records the sign-in. */
export interface ProvenFactor {
  /** @see RFC 8176 */
  readonly amr: readonly string[];
  /** Uses the proof. Only a single concurrent use across all programs succeeds. */
  readonly use: (db: Queries) => Promise<boolean>;
}

/** The enrolled states by factor kind. Each value is the {@link SignInFactor.enrolled} result, or `true`. */
export type EnrolledStates = ReadonlyMap<string, unknown>;

/**
 * The role that a factor plays. `first` begins sign-ins alone. `second` is required after a first factor if the account has
 * enrolled it, and may also begin sign-ins. `backup` replaces a second factor, and ends with the last second factor.
 */
export type FactorRole = 'first' | 'second' | 'backup';

/** A sign-in factor, which a plugin declares. */
export interface SignInFactor {
  /** The recorded name, such as `totp`. */
  readonly kind: string;
  /** The title in mails, such as `An authenticator application`. */
  readonly title: string;
  readonly role: FactorRole;
  /** Whether the factor alone can begin an account's sign-ins, like a factor with the role `first`; default by the role. */
  readonly beginsSignIns?: boolean;

  /** Whether it proves that its owner reads the account's e-mail; default `false`. */
  readonly provesEmail?: boolean;

  /** Returns the account's enrolments. */
  list(accountId: number, db?: Queries): Promise<readonly EnrolledFactor[]>;

  /**
   * Selects the account's enrolment, for the single query that reads all factors. The value is passed to {@link verify}, and is
   * null if the account has not enrolled the factor. If this is absent, {@link list} is called instead.
   */
  enrolled?(account: Expression<number>, db: Queries): Expression<unknown>;
  /**
   * Verifies a proof after a first factor, within the limits for failed sign-ins. A proof works once, even across programs.
   *
   * @param state the {@link enrolled} result
   * @returns the RFC 8176 `amr`; `undefined` if it is rejected
   */
  verify?(
    accountId: number,
    proof: FactorProof,
    client: Client,
    state: unknown,
  ): Promise<readonly string[] | ProvenFactor | undefined>;

  /**
   * Issues codes that replace the previous codes, for a factor with the role `backup`.
   *
   * @param db the transaction that enrols a second factor
   */
  issue?(accountId: number, db: Queries): Promise<string[]>;

  /**
   * Ends the account's enrolments.
   *
   * @param id the enrolment's id; `undefined` ends all
   * @returns whether any enrolment ended
   */
  end?(accountId: number, id: string | undefined, db: Queries): Promise<boolean>;
}

/** Returns a sign-in's `amr`: the method for each factor, and `mfa` for several factors. */
export function amrOf(factors: VerifiedFactors): string[] {
  const methods = factors.flatMap(({ amr }) => amr);
  return [...new Set(factors.length > 1 ? [...methods, 'mfa'] : methods)];
}

/** The token claims that say how its sign-in was verified. */
export function factorClaims(amr: readonly string[]): { amr: readonly string[]; acr: string } {
  return { amr, acr: amr.includes('mfa') ? 'aal2' : 'aal1' };
}

/** The last factor of a sign-in, which says how recent it is. */
export function lastOf(factors: VerifiedFactors): VerifiedFactor {
  return factors.at(-1) ?? factors[0];
}
