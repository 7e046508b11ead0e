import { randomUUID } from 'node:crypto';
import type { AccountState } from '../revocation/revocation-cache';

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
  if (tokenGeneration === 0 || generationOf(signIn.sid) >= tokenGeneration) return false;
  return keptSession === null || signInIdOf(signIn) !== keptSession;
}

/** Whether the state of an account is one of before this sign-in. */
export function isOfLaterGeneration(
  { tokenGeneration }: Pick<AccountState, 'tokenGeneration'>,
  { sid }: SignInClaims,
): boolean {
  return generationOf(sid) > tokenGeneration;
}

/** The account of an issuer's subject. */
export interface LinkedAccount {
  readonly accountId: number;
  /** A hash of the issuer and the subject. */
  readonly identity: string;
}

/** A token of a trusted issuer. */
export interface IssuedToken extends Pick<LinkedAccount, 'identity'> {
  /** The `iss`. */
  readonly issuer: string;
  /** The `iat`, in seconds since 1970. */
  readonly iat: number;
  /** When it was issued at the earliest, by the clock of the store: milliseconds since 1970. */
  readonly earliestMs: number;
  /** Whether the role of the caller is that of the token, and not that of the account. */
  readonly givesRole: boolean;
}

/** The same of a token of a trusted issuer, which has no generation: by its time. */
export function isIssuedBeforeRevocation(
  { tokensRevokedAt, keptSession }: Pick<AccountState, 'tokensRevokedAt' | 'keptSession'>,
  { earliestMs }: IssuedToken,
  tokenId: string | undefined,
): boolean {
  if (tokensRevokedAt === null || earliestMs > tokensRevokedAt.getTime()) return false;
  return keptSession === null || tokenId !== keptSession;
}

/** Whether a token of a trusted issuer is older than the link of its identity to the account, to the second. */
export function isIssuedBeforeLink(linkedAt: Date | null, { iat }: Pick<IssuedToken, 'iat'>): boolean {
  return linkedAt !== null && iat < Math.floor(linkedAt.getTime() / 1000);
}

/** 0 for a `sid` without a generation, from a release without them. */
function generationOf(sid: string | undefined): number {
  return Number(/\.(\d{1,15})$/.exec(sid ?? '')?.[1] ?? 0);
}
