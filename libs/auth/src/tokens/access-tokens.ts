import { type KeyObject } from 'node:crypto';
import {
  type AccessClaims,
  isInForce,
  MAX_CLOCK_SKEW_SECONDS,
  readClaims,
  type TimedClaims,
  type TokenSubject,
} from './claims';
import { Remembered } from './remembered';
import { type JsonObject, readSegment, writeSegment } from './segments';
import { ageOf, machineClock, makeTokenName, type SteadyClock } from './token-age';
import { hasSignature, makeTokenKey, signatureOf, type TokenKey } from './token-key';

/** What one kind of token is signed with, and how long it lives. */
export interface AccessTokenOptions {
  /** Signs and verifies: at least 32 bytes; text counts as UTF-8. */
  readonly secret: string | Uint8Array | KeyObject;
  /** Verify and never sign, while a secret is being turned. */
  readonly previous?: readonly (string | Uint8Array | KeyObject)[];
  /** Whole seconds from issue to expiry; a token that claims a longer life is refused. */
  readonly ttlSeconds: number;
  /**
   * The header's `typ`. Two kinds of token that share a secret must differ in it, or one passes for the other.
   * `JWT` unless given, and then a header without `typ` passes too.
   */
  readonly type?: string;
  /** What tells a token's age when the clock was set back; the machine's unless a test brings its own. */
  readonly steadyClock?: SteadyClock;
}

const MAX_TOKEN_CHARACTERS = 4096;
/** Tokens kept in mind, and the longest that are: 4 MiB at the very most. */
const MAX_REMEMBERED = 4096;
const MAX_REMEMBERED_CHARACTERS = 1024;
const DEFAULT_TYPE = 'JWT';

/**
 * Signs and verifies access tokens: compact JWS, HS256 and nothing else.
 *
 * Synchronous on purpose: an HMAC takes microseconds, and a promise would queue it behind password hashing.
 *
 * @see RFC 8725 (one algorithm, chosen by us; explicit typing), RFC 7515 §4.1.11 (`crit`)
 */
export class AccessTokens {
  /** Seconds from issue to expiry, for those who announce it. */
  readonly ttlSeconds: number;
  private readonly type: string;
  private readonly signer: TokenKey;
  private readonly keys: readonly TokenKey[];
  private readonly steadyClock: SteadyClock;
  /** How far the clock that dates are read from was ahead of the steady one, at most; in seconds. */
  private mostAhead = -Infinity;
  private readonly verified = new Remembered<TimedClaims>(MAX_REMEMBERED);

  /** @throws TypeError if a secret has fewer than 32 bytes or the lifetime is no positive whole number */
  constructor({
    secret,
    previous = [],
    ttlSeconds,
    type = DEFAULT_TYPE,
    steadyClock = machineClock,
  }: AccessTokenOptions) {
    if (!Number.isSafeInteger(ttlSeconds) || ttlSeconds < 1) {
      throw new TypeError('ttlSeconds is a positive whole number of seconds.');
    }
    this.ttlSeconds = ttlSeconds;
    this.type = type;
    this.steadyClock = steadyClock;
    this.signer = makeTokenKey(secret, type);
    this.keys = [this.signer, ...previous.map((old) => makeTokenKey(old, type))];
  }

  /**
   * Makes a token for somebody who has just proved who they are.
   *
   * @param now milliseconds since 1970, so that a test can pick the day
   * @returns compact JWS with `iat`, `exp`, a random `jti`, and `sid` if there is a session
   */
  sign({ sub, username, sid }: TokenSubject, now = Date.now()): string {
    this.isSetBack(now);
    const iat = Math.floor(now / 1000);
    const jti = makeTokenName(this.steadyClock);
    const claims: AccessClaims = { sub, username, iat, exp: iat + this.ttlSeconds, jti, sid };
    const signingInput = `${this.signer.header}.${writeSegment(claims)}`;
    return `${signingInput}.${signatureOf(this.signer, signingInput)}`;
  }

  /**
   * Says who an access token belongs to. A token that was signed by us stays so: its signature is checked once, its
   * time whenever it is asked about.
   *
   * @param token compact JWS, as it stood in the header after `Bearer `
   * @param now   milliseconds since 1970, so that a test can pick the day
   * @returns the claims, or `undefined` if the token is not ours or its time is over
   */
  verify(token: string, now = Date.now()): AccessClaims | undefined {
    const isSetBack = this.isSetBack(now);
    const claims = this.verified.get(token) ?? this.read(token);
    if (claims === undefined || !isInForce(claims, { now, ttlSeconds: this.ttlSeconds })) return undefined;
    if (isSetBack && this.isOver(claims)) return undefined;
    const { sub, username, iat, exp, jti, sid } = claims;
    return { sub, username, iat, exp, jti, sid };
  }

  /** Whether a token of one would pass for a token of the other. */
  isInterchangeableWith(other: AccessTokens): boolean {
    const kids = new Set(other.keys.map(({ kid }) => kid));
    return sameType(this.type, other.type) && this.keys.some(({ kid }) => kids.has(kid));
  }

  /** Remembers no token that is refused: anybody can make as many of those as they like. */
  private read(token: string): TimedClaims | undefined {
    if (token.length > MAX_TOKEN_CHARACTERS) return undefined;
    const [header, payload, signature, surplus] = token.split('.', 4);
    if (!header || !payload || !signature || surplus !== undefined) return undefined;
    if (!this.isSigned(header, payload, signature)) return undefined;
    const fields = readSegment(payload);
    const claims = fields && readClaims(fields);
    if (claims && token.length <= MAX_REMEMBERED_CHARACTERS) this.verified.set(token, claims);
    return claims;
  }

  /** A clock that was set back goes through the same hour again, in which tokens of the first time would be good again. */
  private isSetBack(now: number): boolean {
    const ahead = now / 1000 - this.steadyClock.seconds();
    this.mostAhead = Math.max(this.mostAhead, ahead);
    return this.mostAhead - ahead > MAX_CLOCK_SKEW_SECONDS;
  }

  private isOver({ jti }: AccessClaims): boolean {
    return (ageOf(jti, this.steadyClock) ?? 0) >= this.ttlSeconds;
  }

  private isSigned(header: string, payload: string, signature: string): boolean {
    const signingInput = `${header}.${payload}`;
    return this.keysFor(header).some((key) => hasSignature(key, signingInput, signature));
  }

  /** A header we wrote ourselves is known by its text; any other is read and must obey every rule. */
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

/** RFC 7515 §4.1.9: `typ` is a media type, and those know no case. */
function sameType(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
