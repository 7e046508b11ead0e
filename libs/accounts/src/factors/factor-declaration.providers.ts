import type { Type } from '@nestjs/common';
import type { EndsAccess } from './enrolments';
import type { ProofMembers } from '../sessions/complete-sign-in.controller';
import type { SignInFactor } from '../sign-in/sign-in-factor';

/**
 * The counter for attempts: `failed-sign-ins` counts each wrong proof like a wrong password, and `requests` counts requests by
 * the route limits before anything is verified.
 */
export type FactorLimit = 'failed-sign-ins' | 'requests';

/** The most rows that an account can have for a factor, or the reason why a factor stores nothing. */
export type FactorRows =
  { readonly perAccount: number; readonly ofEach?: 'identity provider' } | { readonly nothingStored: string };

/** A sign-in factor, and everything that must hold for each factor. */
export interface FactorDeclaration extends EndsAccess {
  /** The factor's name, such as `totp`. */
  readonly kind: string;
  /** The plugin's provider. Its instance is the factor. */
  readonly provide: Type<SignInFactor>;
  /**
   * The place among the factors that a client is offered, in ascending order; default 100. Factors with the same place are in
   * name order.
   */
  readonly rank?: number;
  /** The members of `POST /auth/sessions/complete` that prove the factor, besides `code`. */
  readonly proof?: ProofMembers;
  /**
   * The plugin's routes that callers with scopes or from a trusted issuer may use, such as `GET /cards`. Every other route is
   * public or has `@DirectSignIn()`.
   */
  readonly scopedCallers: readonly string[];
  /** The counter for attempts to guess a proof. */
  readonly limit: FactorLimit;
  /** The audience of the factor's challenges. With `program`, only the program that made a challenge accepts the response. */
  readonly challenges: 'program' | 'none';
  /** The limit for the factor's rows. */
  readonly rows: FactorRows;
}

/** Returns factors in the order in which a client is offered them, whatever the order of plugins. */
export function inOrder(factors: readonly FactorDeclaration[]): readonly FactorDeclaration[] {
  const placeOf = ({ rank = 100, kind }: FactorDeclaration) => `${String(rank).padStart(6, '0')} ${kind}`;
  return factors.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}
