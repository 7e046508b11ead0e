import { randomUUID } from 'node:crypto';
import {
  type AccessClaims,
  isInScope,
  isValidAt,
  readClaims,
  type TimedClaims,
  type TokenScope,
  type TokenSubject,
} from './claims';
import { BoundedCache } from './bounded-cache';
import { type JsonObject, readSegment, writeSegment } from './segments';
import {
  hasSignature,
  makeTokenKey,
  type Secret,
  secretKey,
  signatureOf,
  type SigningKey,
  type TokenKey,
} from './token-key';

/** The secrets that sign and verify tokens. */
export interface TokenSecrets {
  /** Signs and verifies, with HS256. */
  readonly secret: Secret;
  /** The previous secrets, which only verify, during rotation. */
  readonly previous?: readonly Secret[];
}

/** The settings for tokens and their checks besides the signature. */
export interface TokenRules extends TokenScope {
  /** Seconds from issue to expiry, an integer; a token with a longer lifetime is rejected. */
  readonly ttlSeconds: number;
  /**
   * The header's `typ`, which must differ between token kinds that share a secret. Default `JWT`; a header without `typ` is
   * then accepted too.
   */
  readonly type?: string;
}

/** The keys that replace secrets. The first key signs, and all keys verify, each with its own algorithm. */
export interface TokenKeySet {
  readonly keys: readonly SigningKey[];
}

/** Options of {@link AccessTokens}. */
export type AccessTokenOptions = TokenRules & (TokenSecrets | TokenKeySet);

const MAX_TOKEN_CHARACTERS = 4096;
/** The limits for a cache of verified tokens, which takes at most 4 MiB. */
export const MAX_CACHED_TOKENS = 4096;
export const MAX_CACHED_CHARACTERS = 1024;
const DEFAULT_TYPE = 'JWT';

/**
 * Signs and verifies access tokens in the compact JWS format. The key determines the algorithm, which is HS256 by default.
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
  private signer: TokenKey;
  /** The first is the {@link signer}. */
  private keys: readonly [TokenKey, ...TokenKey[]];
  private verified = new BoundedCache<TimedClaims>(MAX_CACHED_TOKENS);

  /** @throws TypeError if the keys are empty, a secret has fewer than 32 bytes, or the lifetime is no positive integer */
  constructor(options: AccessTokenOptions) {
    const { ttlSeconds, type = DEFAULT_TYPE, issuer, audience } = options;
    if (!Number.isSafeInteger(ttlSeconds) || ttlSeconds < 1) {
      throw new TypeError('ttlSeconds must be a positive integer.');
    }
    this.ttlSeconds = ttlSeconds;
    this.issuer = issuer;
    this.audience = audience;
    this.type = type;
    this.keys = this.prepared(keysOf(options));
    [this.signer] = this.keys;
  }

  /**
   * Replaces the keys. Tokens signed by a removed key are rejected from now on.
   *
   * @param keys the first signs, all verify
   * @throws TypeError if the list is empty
   */
  useKeys(keys: readonly SigningKey[]): void {
    const prepared = this.prepared(keys);
    [this.signer] = prepared;
    this.keys = prepared;
    this.verified = new BoundedCache(MAX_CACHED_TOKENS);
  }

  /** The asymmetric keys, so that third parties can verify tokens. */
  get publicKeys(): readonly SigningKey[] {
    return this.keys.filter(({ key, verifier }) => key !== verifier);
  }

  /**
   * Issues a token.
   *
   * @param now milliseconds since 1970
   * @returns compact JWS with `iat`, `exp`, a random `jti`, `sid`, `auth_time`, `amr` and `acr` if given, `iss` and `aud` if configured
   */
  sign({ sub, username, ...signIn }: TokenSubject, now = Date.now()): string {
    const iat = Math.floor(now / 1000);
    const { sid, auth_time, amr, acr } = signIn;
    const claims: AccessClaims = {
      sub,
      username,
      iat,
      exp: iat + this.ttlSeconds,
      jti: randomUUID(),
      sid,
      auth_time,
      amr,
      acr,
    };
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
    const claims = this.verified.get(token) ?? this.read(token);
    if (claims === undefined || !isValidAt(claims, { now, ttlSeconds: this.ttlSeconds })) return undefined;
    const { sub, username, iat, exp, jti, sid, auth_time, amr, acr } = claims;
    return { sub, username, iat, exp, jti, sid, auth_time, amr, acr };
  }

  /** Returns whether either instance accepts tokens from the other instance. */
  isInterchangeableWith(peer: AccessTokens): boolean {
    const kids = new Set(peer.keys.map(({ kid }) => kid));
    return sameType(this.type, peer.type) && this.keys.some(({ kid }) => kids.has(kid));
  }

  private prepared([first, ...others]: readonly SigningKey[]): readonly [TokenKey, ...TokenKey[]] {
    if (first === undefined) throw new TypeError('Access tokens need a key.');
    return [makeTokenKey(first, this.type), ...others.map((key) => makeTokenKey(key, this.type))];
  }

  /** Verifies a token and caches valid results only, because an attacker can send any number of rejected tokens. */
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
    const ofAlgorithm = this.keys.filter(({ algorithm }) => algorithm === fields.alg);
    const named = ofAlgorithm.find(({ kid }) => kid === fields.kid);
    if (named) return [named];
    // Who shares a secret may not know our key ids; who verifies with a public key read its id beside it.
    return fields.alg === 'HS256' || fields.kid === undefined ? ofAlgorithm : [];
  }

  private isAcceptable(header: JsonObject): boolean {
    if ('crit' in header || 'b64' in header) return false;
    if (header.typ === undefined) return sameType(this.type, DEFAULT_TYPE);
    return typeof header.typ === 'string' && sameType(header.typ, this.type);
  }
}

function keysOf(options: TokenSecrets | TokenKeySet): readonly SigningKey[] {
  if ('keys' in options) return options.keys;
  const { secret, previous = [] } = options;
  return [secret, ...previous].map((value) => secretKey(value));
}

/** Compares two `typ` values. They are media types, which are case-insensitive (RFC 7515 §4.1.9). */
function sameType(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}
