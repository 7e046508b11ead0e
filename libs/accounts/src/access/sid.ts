import { randomUUID } from 'node:crypto';
import type { AccountState } from '../revocation/revocation-cache';

/** The claims that identify a sign-in. */
interface SignInClaims {
  readonly sid?: string;
  readonly jti?: string;
}

/**
 * Makes the `sid` of a sign-in: a random id and the account's token generation. The generation shows whether all tokens were
 * revoked since, so that a timestamp or a further claim is unnecessary.
 */
export function makeSid(tokenGeneration: number): string {
  return `${randomUUID()}.${tokenGeneration}`;
}

/** Returns a token's sign-in id. A token without `sid` is its own sign-in, identified by `jti`. */
export function signInIdOf({ sid, jti }: SignInClaims): string | undefined {
  return sid ?? jti;
}

/** Returns whether all the account's tokens were revoked after this sign-in, unless this sign-in was kept. */
export function isOfRevokedGeneration(
  { tokenGeneration, keptSession }: Pick<AccountState, 'tokenGeneration' | 'keptSession'>,
  signIn: SignInClaims,
): boolean {
  if (tokenGeneration === 0 || generationOf(signIn.sid) >= tokenGeneration) return false;
  return keptSession === null || signInIdOf(signIn) !== keptSession;
}

/** Returns whether this sign-in is newer than the account state. */
export function isOfLaterGeneration(
  { tokenGeneration }: Pick<AccountState, 'tokenGeneration'>,
  { sid }: SignInClaims,
): boolean {
  return generationOf(sid) > tokenGeneration;
}

/** The account for an issuer's subject. */
export interface LinkedAccount {
  readonly accountId: number;
  /** A hash over issuer and subject. */
  readonly identity: string;
}

/** A trusted issuer's token. */
export interface IssuedToken extends Pick<LinkedAccount, 'identity'> {
  /** The `iss`. */
  readonly issuer: string;
  /** The `iat`, in seconds since 1970. */
  readonly iat: number;
  /** The earliest time at which the issuer issued the token, by the store's clock: milliseconds since 1970. */
  readonly earliestMs: number;
  /** Whether the token's role replaces the account's role. */
  readonly givesRole: boolean;
}

/**
 * Returns whether all the account's tokens were revoked after this token, unless this token was kept. A trusted issuer's token
 * has no generation, so its time is compared.
 */
export function isIssuedBeforeRevocation(
  { tokensRevokedAt, keptSession }: Pick<AccountState, 'tokensRevokedAt' | 'keptSession'>,
  { earliestMs }: IssuedToken,
  tokenId: string | undefined,
): boolean {
  if (tokensRevokedAt === null || earliestMs > tokensRevokedAt.getTime()) return false;
  return keptSession === null || tokenId !== keptSession;
}

/** Returns whether a trusted issuer's token is older than the link between its identity and the account, to the second. */
export function isIssuedBeforeLink(linkedAt: Date | null, { iat }: Pick<IssuedToken, 'iat'>): boolean {
  return linkedAt !== null && iat < Math.floor(linkedAt.getTime() / 1000);
}

/** Returns the generation in a `sid`; 0 if it has no generation, because an earlier release issued it. */
function generationOf(sid: string | undefined): number {
  return Number(/\.(\d{1,15})$/.exec(sid ?? '')?.[1] ?? 0);
}
