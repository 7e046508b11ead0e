import { randomUUID } from 'node:crypto';
import type { AccountState } from '../revocation/account-state-cache';

/** The claims that identify a sign-in. */
interface SignInClaims {
  readonly sid?: string;
  readonly jti?: string;
}

/**
 * Makes the `sid` of a sign-in: a random id and the token generation of the account, by which it is known whether all tokens were
 * revoked since, without a timestamp or a further claim.
 */
export function makeSid(tokenGeneration: number): string {
  return `${randomUUID()}.${tokenGeneration}`;
}

/** The id of a token's sign-in; a token without `sid` is a sign-in of its own. */
export function signInIdOf({ sid, jti }: SignInClaims): string | undefined {
  return sid ?? jti;
}

/** Whether all tokens of the account were revoked after this sign-in, which was not the kept one. */
export function isOfRevokedGeneration(
  { tokenGeneration, keptSession }: Pick<AccountState, 'tokenGeneration' | 'keptSession'>,
  signIn: SignInClaims,
): boolean {
  if (generationOf(signIn.sid) >= tokenGeneration) return false;
  return keptSession === null || signInIdOf(signIn) !== keptSession;
}

/** 0 for a `sid` without a generation, from a release without them. */
function generationOf(sid: string | undefined): number {
  return Number(/\.(\d{1,15})$/.exec(sid ?? '')?.[1] ?? 0);
}
