import { type KeyObject } from 'node:crypto';
import {
  type AccessClaims,
  isInScope,
  isValidAt,
  MAX_CLOCK_SKEW_SECONDS,
  readClaims,
  type TimedClaims,
  type TokenScope,
  type TokenSubject,
} from './claims';
import { BoundedCache } from './bounded-cache';
import { type JsonObject, readSegment, writeSegment } from './segments';
import { ageOf, machineClock, makeTokenId, type MonotonicClock } from './token-age';
import { hasSignature, makeTokenKey, signatureOf, type TokenKey } from './token-key';

/** Options of {@link AccessTokens}. */
export interface AccessTokenOptions extends TokenScope {
  /** Signs and verifies: at least 32 bytes; a string is encoded as UTF-8. */
  readonly secret: string | Uint8Array | KeyObject;
  /** Verify only, during rotation. */
  readonly previous?: readonly (string | Uint8Array | KeyObject)[];
  /** Whole seconds from issue to expiry; a token with a longer lifetime is rejected. */
  readonly ttlSeconds: number;
  /**
   * The header's `typ`, which must differ between token kinds that share a secret. Default `JWT`; a header without `typ` is
   * then accepted too.
   */
  readonly type?: string;
  /** Measures the age of tokens while the system clock is set back. Default: the machine's. */
  readonly monotonicClock?: MonotonicClock;
}

const MAX_TOKEN_CHARACTERS = 4096;
/** Limits of the cache of verified tokens: at most 4 MiB. */
const MAX_CACHED_TOKENS = 4096;
const MAX_CACHED_CHARACTERS = 1024;
const DEFAULT_TYPE = 'JWT';
/** How far the clocks of machines that share a store may differ. */
const MAX_BEHIND_FLOOR_SECONDS = 60;

/**
 * Signs and verifies access tokens: compact JWS with HS256 only.
 *
 * Synchronous: an HMAC takes microseconds, and on the thread pool it would queue behind password hashing.
 *
 * @see RFC 8725 (a fixed algorithm, explicit typing), RFC 7515 §4.1.11 (`crit`)
 */
export class AccessTokens {
  /** Seconds from issue to expiry. */
  readonly ttlSeconds: number;
  /** The `aud` claim of its tokens. */
  readonly audience?: string;
  readonly issuer?: string;
  private readonly type: string;
  private readonly signer: TokenKey;
  private readonly keys: readonly TokenKey[];
  private readonly monotonicClock: MonotonicClock;
  /** Largest observed offset of the system clock from the monotonic clock, in seconds. */
  private maxOffset = -Infinity;
  /** As {@link maxOffset}, of a time that was reached before this program started. */
  private floorOffset = -Infinity;
  private readonly verified = new BoundedCache<TimedClaims>(MAX_CACHED_TOKENS);

  /** @throws TypeError if a secret has fewer than 32 bytes or the lifetime is not a positive integer */
  constructor({
    secret,
    previous = [],
    ttlSeconds,
    type = DEFAULT_TYPE,
    issuer,
    audience,
    monotonicClock = machineClock,
  }: AccessTokenOptions) {
    if (!Number.isSafeInteger(ttlSeconds) || ttlSeconds < 1) {
      throw new TypeError('ttlSeconds must be a positive integer.');
    }
    this.ttlSeconds = ttlSeconds;
    this.issuer = issuer;
    this.audience = audience;
    this.type = type;
    this.monotonicClock = monotonicClock;
    this.signer = makeTokenKey(secret, type);
    this.keys = [this.signer, ...previous.map((old) => makeTokenKey(old, type))];
  }

  /**
   * Issues a token.
   *
   * @param now milliseconds since 1970
   * @returns compact JWS with `iat`, `exp`, a random `jti`, `sid` and `auth_time` if given, `iss` and `aud` if configured
   */
  sign({ sub, username, sid, auth_time }: TokenSubject, now = Date.now()): string {
    this.noteOffset(now);
    const iat = Math.floor(now / 1000);
    const jti = makeTokenId(this.monotonicClock);
    const claims: AccessClaims = { sub, username, iat, exp: iat + this.ttlSeconds, jti, sid, auth_time };
    const scope = { iss: this.issuer, aud: this.audience };
    const signingInput = `${this.signer.header}.${writeSegment({ ...claims, ...scope })}`;
    return `${signingInput}.${signatureOf(this.signer, signingInput)}`;
  }

  /**
   * Verifies a token. The signature is checked once and cached, the validity period on every call.
   *
   * @param token compact JWS, without `Bearer `
   * @param now   milliseconds since 1970
   * @returns the claims, or `undefined` if the token is invalid or expired
   */
  verify(token: string, now = Date.now()): AccessClaims | undefined {
    const ahead = this.noteOffset(now);
    const claims = this.verified.get(token) ?? this.read(token);
    if (claims === undefined || !isValidAt(claims, { now, ttlSeconds: this.ttlSeconds })) return undefined;
    if (this.maxOffset - ahead > MAX_CLOCK_SKEW_SECONDS && this.isTooOld(claims)) return undefined;
    if (this.floorOffset - ahead > MAX_BEHIND_FLOOR_SECONDS && this.isTooOld(claims, Infinity))
      return undefined;
    const { sub, username, iat, exp, jti, sid, auth_time } = claims;
    return { sub, username, iat, exp, jti, sid, auth_time };
  }

  /**
   * Sets a time that has been reached before. While the system clock is behind it by more than a minute, a token is accepted
   * only if it was issued on this machine since its boot, and its measured age is within the lifetime.
   *
   * @param reached milliseconds since 1970
   */
  setFloor(reached: number): void {
    this.floorOffset = reached / 1000 - this.monotonicClock.seconds();
  }

  /** Whether one accepts tokens of the other. */
  isInterchangeableWith(other: AccessTokens): boolean {
    const kids = new Set(other.keys.map(({ kid }) => kid));
    return sameType(this.type, other.type) && this.keys.some(({ kid }) => kids.has(kid));
  }

  /** Does not cache rejected tokens: an attacker can send any number of them. */
  private read(token: string): TimedClaims | undefined {
    if (token.length > MAX_TOKEN_CHARACTERS) return undefined;
    const [header, payload, signature, surplus] = token.split('.', 4);
    if (!header || !payload || !signature || surplus !== undefined) return undefined;
    if (!this.isSigned(header, payload, signature)) return undefined;
    const fields = readSegment(payload);
    const claims = fields && isInScope(fields, this) ? readClaims(fields) : undefined;
    if (claims && token.length <= MAX_CACHED_CHARACTERS) this.verified.set(token, claims);
    return claims;
  }

  /**
   * The offset of the system clock from the monotonic clock, in seconds. While it is below an earlier one, the clock is set
   * back, and `exp` alone would accept expired tokens again.
   */
  private noteOffset(now: number): number {
    const ahead = now / 1000 - this.monotonicClock.seconds();
    this.maxOffset = Math.max(this.maxOffset, ahead);
    return ahead;
  }

  /** @param unknownAge of a token of another machine */
  private isTooOld({ jti }: AccessClaims, unknownAge = 0): boolean {
    return (ageOf(jti, this.monotonicClock) ?? unknownAge) >= this.ttlSeconds;
  }

  private isSigned(header: string, payload: string, signature: string): boolean {
    const signingInput = `${header}.${payload}`;
    return this.keysFor(header).some((key) => hasSignature(key, signingInput, signature));
  }

  /** A header that this class writes is compared as text; any other is parsed and checked. */
  private keysFor(header: string): readonly TokenKey[] {
    const own = this.keys.find((key) => key.header === header);
    if (own) return [own];
    const fields = readSegment(header);
    if (!fields || !this.isAcceptable(fields)) return [];
    const named = this.keys.find(({ kid }) => kid === fields.kid);
    return named ? [named] : this.keys;
  }

  private isAcceptable(header: JsonObject): boolean {
    if (header.alg !== 'HS256' || 'crit' in header || 'b64' in header) return false;
    if (header.typ === undefined) return sameType(this.type, DEFAULT_TYPE);
    return typeof header.typ === 'string' && sameType(header.typ, this.type);
  }
}

/** RFC 7515 §4.1.9: `typ` is a media type, which is case-insensitive. */
function sameType(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
