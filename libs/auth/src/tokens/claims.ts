import type { JsonObject } from './segments';

/** Who signs in. */
export interface TokenSubject {
  /** The account's id: a positive whole number. */
  readonly sub: number;
  /** The e-mail, as it is stored. */
  readonly username: string;
  /** The session the token belongs to. */
  readonly sid?: string;
}

/** What an access token says. Times are seconds since 1970. */
export interface AccessClaims extends TokenSubject {
  readonly iat?: number;
  readonly exp: number;
  /** Names this one token, so that it can be refused alone. */
  readonly jti?: string;
}

/** What the time of a token is measured by. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The longest life a token may have. */
  readonly ttlSeconds: number;
}

const MAX_USERNAME_CHARACTERS = 320;

/** How far the clocks of two instances may lie apart before a token counts as issued in the future. */
export const MAX_CLOCK_SKEW_SECONDS = 5;

/** Claims whose types are right; whether their time has come depends on the clock. */
export interface TimedClaims extends AccessClaims {
  readonly nbf?: number;
}

/**
 * Checks a payload claim by claim, each by its type, and copies the ones we know.
 *
 * @returns `undefined` if one is missing or of another type
 * @see RFC 8725 §3 (validate every claim), RFC 7519 §4.1
 */
export function readClaims(payload: JsonObject): TimedClaims | undefined {
  const { sub, username, iat, exp, nbf, jti, sid } = payload;
  if (!isId(sub) || !isUsername(username)) return undefined;
  if (!isTime(exp) || !isTimeOrAbsent(iat) || !isTimeOrAbsent(nbf)) return undefined;
  if (!isTextOrAbsent(jti) || !isTextOrAbsent(sid)) return undefined;
  return { sub, username, iat, exp, nbf, jti, sid };
}

/** Whether a token's time has come, is not over, and was never too long. */
export function isInForce({ iat, exp, nbf }: TimedClaims, { now, ttlSeconds }: Clock): boolean {
  const seconds = now / 1000;
  if (exp <= seconds) return false;
  if (nbf !== undefined && nbf > Math.floor(seconds)) return false;
  // Without this a token dated next year would be valid until then, whatever its lifetime.
  if (iat !== undefined && iat > seconds + MAX_CLOCK_SKEW_SECONDS) return false;
  return exp - (iat ?? seconds) <= ttlSeconds;
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

/** `1e999` is a number that JSON can write and that never passes; it is no time. */
function isTime(value: unknown): value is number {
  return Number.isFinite(value);
}

function isTimeOrAbsent(value: unknown): value is number | undefined {
  return value === undefined || isTime(value);
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}
