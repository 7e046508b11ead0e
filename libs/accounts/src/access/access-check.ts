import { type AccessClaims, TwoFactorsRequiredError } from '@app/auth';
import { Injectable } from '@nestjs/common';
import { emailKey } from '../email-key';
import { placeholderEnd } from '../account/accounts.store';
import { AccountRoles } from '../account/account-roles';
import { AccountDisabledError } from '../errors';
import { type AccountState, RevocationCache } from '../revocation/revocation-cache';
import {
  isIssuedBeforeLink,
  isIssuedBeforeRevocation,
  type IssuedToken,
  type LinkedAccount,
  isOfLaterGeneration,
  isOfRevokedGeneration,
  signInIdOf,
} from './sid';
import { AccountsOptions } from '../options';

/** The authenticated caller. */
export interface SignedInUser {
  readonly userId: number;
  readonly username: string;
  /** A role that the application declares. */
  readonly role: string;
  /** The access token's sign-in. */
  readonly sid?: string;
  readonly jti?: string;
  /** The time at which the sign-in verified its last factor, in seconds since 1970. */
  readonly authTime?: number;
  /** The RFC 8176 methods of the sign-in: `mfa` if it verified more than a single factor. */
  readonly amr?: readonly string[];
  /** Whether the caller's e-mail counts as confirmed; always `true` where e-mails are not verified. */
  readonly emailVerified: boolean;
  /**
   * Set while the user must change the password. API keys and trusted issuers' tokens lack it: they do not need the password.
   */
  readonly mustChangePassword?: true;
  /** The scopes that the token restricts the caller to; absent if the caller may do everything. */
  readonly scopes?: readonly string[];
  /** The trusted issuer's token, if the caller sent such a token. */
  readonly issued?: IssuedToken;
}

/** The claims that are checked after a trusted issuer's token was verified. Times are seconds since 1970. */
export interface TrustedClaims {
  readonly issuer: string;
  readonly iat: number;
  /** A value that is unique across all issuers' tokens. */
  readonly tokenId: string;
  readonly authTime?: number;
  readonly hasTwoFactors: boolean;
  /** The role that replaces the account's role. */
  readonly role?: string;
  readonly scopes?: readonly string[];
}

/** Checks valid access tokens against accounts and revocations, from memory (D17). */
@Injectable()
export class AccessCheck {
  constructor(
    private readonly cache: RevocationCache,
    private readonly roles: AccountRoles,
    private readonly options: AccountsOptions,
  ) {}

  /**
   * Finds an access token's caller. Queries the database only for accounts that are not cached.
   *
   * @returns the caller, or a promise if the account must be loaded; `undefined` if the account is missing or never had the
   *   e-mail, or if the sign-in was revoked
   * @throws AccountDisabledError if the account is disabled
   * @throws RevocationsUnavailableError if the cached revocations are stale
   * @throws TypeError if a token from a different strategy lives longer than `longestTokenSeconds`
   */
  callerOf(claims: AccessClaims): SignedInUser | undefined | Promise<SignedInUser | undefined> {
    this.cache.assertCurrent();
    this.cache.assertRetained(claims);
    const state = this.cache.stateOf(claims.sub);
    if (state instanceof Promise) return state.then((account) => this.checkCurrent(account, claims));
    return this.checkCurrent(state, claims);
  }

  /**
   * Finds the caller of a trusted issuer's token, as {@link callerOf} does for our own tokens.
   *
   * @param leewaySeconds how far the issuer's clock may be ahead
   * @throws AccountDisabledError, RevocationsUnavailableError
   * @throws TwoFactorsRequiredError if the account has a second factor, but the user used a single factor at the issuer
   */
  callerByIssuer(
    claims: TrustedClaims,
    { accountId, identity }: LinkedAccount,
    leewaySeconds: number,
  ): SignedInUser | undefined | Promise<SignedInUser | undefined> {
    this.cache.assertCurrent();
    const { issuer, iat, role } = claims;
    const earliestMs = (iat - leewaySeconds) * 1000;
    const issued = { issuer, identity, iat, earliestMs, givesRole: role !== undefined };
    const state = this.cache.stateOf(accountId);
    if (state instanceof Promise) return state.then((account) => this.checkLinked(account, claims, issued));
    return this.checkLinked(state, claims, issued);
  }

  /** Loads the account again if the cached state lacks the identity, because the identity may have been linked since. */
  private checkLinked(
    account: AccountState | null,
    claims: TrustedClaims,
    issued: IssuedToken,
  ): SignedInUser | undefined | Promise<SignedInUser | undefined> {
    if (account === null || account.forIssuers?.identities.has(issued.identity) === true)
      return this.checkIssued(account, claims, issued);
    this.cache.forget(account.id);
    return Promise.resolve(this.cache.stateOf(account.id)).then((now) =>
      this.checkIssued(now, claims, issued),
    );
  }

  private checkIssued(
    account: AccountState | null,
    { tokenId: jti, authTime, hasTwoFactors, role, scopes }: TrustedClaims,
    issued: IssuedToken,
  ): SignedInUser | undefined {
    const linkedAt = account?.forIssuers?.identities.get(issued.identity);
    if (!account || linkedAt === undefined || isIssuedBeforeLink(linkedAt, issued)) return undefined;
    if (account.disabledAt !== null) throw new AccountDisabledError();
    if (isIssuedBeforeRevocation(account, issued, jti) || this.cache.isRevoked(jti)) return undefined;
    // An account without an e-mail cannot verify it, but its issuer knows the user.
    const isVouchedFor = account.emailKey.endsWith(placeholderEnd);
    if (account.forIssuers?.hasSecondFactor === true && !hasTwoFactors) throw new TwoFactorsRequiredError();
    return {
      userId: account.id,
      username: account.emailKey,
      role: this.roles.effective(role ?? account.role),
      jti,
      authTime,
      amr: hasTwoFactors ? ['mfa'] : undefined,
      emailVerified: !this.options.verifiesEmails || account.emailVerifiedAt !== null || isVouchedFor,
      scopes,
      issued,
    };
  }

  /**
   * Loads the account again if the sign-in has a later generation: the cached state then lacks a change, such as a new password.
   */
  private checkCurrent(
    account: AccountState | null,
    claims: AccessClaims,
  ): SignedInUser | undefined | Promise<SignedInUser | undefined> {
    if (account === null || !isOfLaterGeneration(account, claims)) return this.checkState(account, claims);
    this.cache.forget(account.id);
    return Promise.resolve(this.cache.stateOf(account.id)).then((now) => this.checkState(now, claims));
  }

  private checkState(account: AccountState | null, claims: AccessClaims): SignedInUser | undefined {
    if (account === null || !hadEmail(account, claims)) return undefined;
    if (account.disabledAt !== null) throw new AccountDisabledError();
    const { username, sid, jti, auth_time: authTime, amr } = claims;
    if (isOfRevokedGeneration(account, claims)) return undefined;
    // `Sessions` revokes the `jti` only for tokens without a `sid`.
    if (this.cache.isRevoked(signInIdOf(claims))) return undefined;
    const emailVerified = !this.options.verifiesEmails || account.emailVerifiedAt !== null;
    const role = this.roles.effective(account.role);
    const mustChangePassword = account.passwordChangeRequiredAt === null ? undefined : true;
    return { userId: account.id, username, role, sid, jti, authTime, amr, emailVerified, mustChangePassword };
  }
}

/**
 * Returns whether the account has, or had, the token's e-mail. Tokens from before the last change may have an earlier e-mail.
 */
function hadEmail(account: AccountState, { username, iat }: AccessClaims): boolean {
  if (username === account.emailKey || emailKey(username) === account.emailKey) return true;
  const changedAt = account.emailChangedAt?.getTime();
  return changedAt !== undefined && iat !== undefined && iat * 1000 <= changedAt;
}
