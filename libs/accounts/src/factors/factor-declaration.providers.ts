import type { Type } from '@nestjs/common';
import type { EndsAccess } from './enrolments';
import type { ProofMembers } from '../sessions/complete-sign-in.controller';
import type { SignInFactor } from '../sign-in/sign-in-factor';

/**
 * What counts attempts. `failed-sign-ins`: the limits of failed sign-ins count each wrong proof, as they count wrong passwords.
 * `requests`: limits of the routes count requests, before anything is verified.
 */
export type FactorLimit = 'failed-sign-ins' | 'requests';

/** How many rows an account can have of a factor, or the reason why it has none. */
export type FactorRows =
  { readonly perAccount: number; readonly ofEach?: 'identity provider' } | { readonly nothingStored: string };

/** A factor of sign-ins, and everything that must hold for each factor. */
export interface FactorDeclaration extends EndsAccess {
  /** The name of the factor, such as `totp`. */
  readonly kind: string;
  /** The provider of the plugin whose instance is the factor. */
  readonly provide: Type<SignInFactor>;
  /** The place among the factors that a client is offered, in ascending order; default 100. Factors of one place are in the order of their names. */
  readonly rank?: number;
  /** The members of `POST /auth/sessions/complete` that prove it, besides `code`. */
  readonly proof?: ProofMembers;
  /**
   * The routes of the plugin that a caller with scopes, or of a trusted issuer, may use, such as `GET /cards`. Every other route is public or has
   * `@DirectSignIn()`.
   */
  readonly scopedCallers: readonly string[];
  /** What counts attempts to guess a proof. */
  readonly limit: FactorLimit;
  /** The audience of its challenges: only the program that made a challenge accepts the response. */
  readonly challenges: 'program' | 'none';
  /** How its rows are bounded. */
  readonly rows: FactorRows;
}

/** Returns factors in the order in which a client is offered them, whatever the order of plugins. */
export function inOrder(factors: readonly FactorDeclaration[]): readonly FactorDeclaration[] {
  const placeOf = ({ rank = 100, kind }: FactorDeclaration) => `${String(rank).padStart(6, '0')} ${kind}`;
  return factors.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}
