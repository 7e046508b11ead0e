import type { JsonObject } from './segments';

/** A token's subject. */
export interface TokenSubject {
  /** The account's id, a positive integer. */
  readonly sub: number;
  /** The e-mail, as it is stored. */
  readonly username: string;
  /** The token's session. */
  readonly sid?: string;
  /**
   * The time when the caller's last factor was verified, in seconds since 1970. Refreshing a token does not change it.
   *
   * @see OpenID Connect Core §2
   */
  readonly auth_time?: number;
  /**
   * The methods that authenticated the caller, such as `pwd` and `otp`; `mfa` for more than a single factor.
   *
   * @see RFC 8176
   */
  readonly amr?: readonly string[];
  /** The assurance level: `aal1` for a single factor, `aal2` for two. */
  readonly acr?: string;
}

/** Claims of an access token. Times are seconds since 1970. */
export interface AccessClaims extends TokenSubject {
  readonly iat?: number;
  readonly exp: number;
  /** Identifies the token, so that it can be revoked alone. */
  readonly jti?: string;
}

/** The issuer and audience of tokens. A token with a different value is rejected; a token that names neither is accepted. */
export interface TokenScope {
  /** The `iss` claim. If it is absent, tokens have no issuer, and any issuer is accepted. */
  readonly issuer?: string;
  /** The `aud` claim, which is the application. If it is absent, tokens have no audience, and any audience is rejected. */
  readonly audience?: string;
}

/** The time and lifetime limit that a token is checked against. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The maximum lifetime. */
  readonly ttlSeconds: number;
}

const MAX_USERNAME_CHARACTERS = 320;

/** The permitted clock skew between instances, for `iat`. */
export const MAX_CLOCK_SKEW_SECONDS = 5;

/** Claims with valid types; their times are not checked yet. */
export interface TimedClaims extends AccessClaims {
  readonly nbf?: number;
}

/**
 * Checks the type of each claim and copies the known claims.
 *
 * @returns `undefined` if a claim is missing or has the wrong type
 * @see RFC 8725 §3 (validate every claim), RFC 7519 §4.1
 */
export function readClaims(payload: JsonObject): TimedClaims | undefined {
  const { sub, username, iat, exp, nbf, jti, sid, auth_time, amr, acr } = payload;
  if (!isId(sub) || !isUsername(username)) return undefined;
  if (!isTime(exp) || !isTimeOrAbsent(iat) || !isTimeOrAbsent(nbf)) return undefined;
  if (!isTextOrAbsent(jti) || !isTextOrAbsent(sid) || !isTimeOrAbsent(auth_time)) return undefined;
  if (!isTextsOrAbsent(amr) || !isTextOrAbsent(acr)) return undefined;
  return { sub, username, iat, exp, nbf, jti, sid, auth_time, amr, acr };
}

/** Returns whether a token is valid at a time and has a permitted lifetime. */
export function isValidAt({ iat, exp, nbf }: TimedClaims, { now, ttlSeconds }: Clock): boolean {
  const seconds = now / 1000;
  if (exp <= seconds) return false;
  if (nbf !== undefined && nbf > Math.floor(seconds)) return false;
  // Otherwise a token issued in the future would be valid until then, longer than its lifetime.
  if (iat !== undefined && iat > seconds + MAX_CLOCK_SKEW_SECONDS) return false;
  return exp - (iat ?? seconds) <= ttlSeconds;
}

/**
 * Returns whether a token has this issuer and this audience, or names neither.
 *
 * @see RFC 7519 §4.1.3 (a single match among several audiences is enough), RFC 8725 §3.8 and §3.9
 */
export function isInScope({ iss, aud }: JsonObject, { issuer, audience }: TokenScope): boolean {
  if (iss !== undefined && issuer !== undefined && iss !== issuer) return false;
  if (aud === undefined) return true;
  return audience !== undefined && (Array.isArray(aud) ? aud.includes(audience) : aud === audience);
}

function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

function isUsername(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value.length <= MAX_USERNAME_CHARACTERS &&
    value.isWellFormed()
  );
}

/** Returns whether a value is a finite number, because JSON can express `Infinity` as `1e999`. */
function isTime(value: unknown): value is number {
  return Number.isFinite(value);
}

function isTimeOrAbsent(value: unknown): value is number | undefined {
  return value === undefined || isTime(value);
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function isTextsOrAbsent(value: unknown): value is readonly string[] | undefined {
  return value === undefined || (Array.isArray(value) && value.every((item) => typeof item === 'string'));
}
