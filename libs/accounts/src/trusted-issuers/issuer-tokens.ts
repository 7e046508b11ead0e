import { createHash } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { TrustedIssuerUnavailableError } from '../errors';
import type { IssuerKeys } from './issuer-keys';
import type { ClaimMap, IssuerRules } from './issuer-rules';

/** What is used of a valid token of a trusted issuer. Times are seconds since 1970. */
export interface IssuerClaims {
  readonly issuer: string;
  readonly subject: string;
  readonly iat: number;
  readonly exp: number;
  readonly nbf?: number;
  /** Of the issuer and the `jti`, or of the token if it has none: revokes it alone. */
  readonly tokenId: string;
  readonly authTime?: number;
  /** Whether the user signed in at the issuer by two factors. */
  readonly hasTwoFactors: boolean;
  /** Where the rules map roles. */
  readonly role?: string;
  /** Where the rules map scopes. */
  readonly scopes?: readonly string[];
}

/** OpenID Connect Core §2. */
const MAX_SUBJECT_CHARACTERS = 255;
/** A caller of whose claims none is in the map has no more than a new account. */
const defaultRole = 'user';

/** Verifies tokens of one issuer. */
export class IssuerTokens {
  constructor(
    readonly rules: IssuerRules,
    readonly keys: IssuerKeys,
  ) {}

  /**
   * Verifies a token. Its header names the key by `kid` alone: `jku`, `x5u` and `jwk` are not read.
   *
   * @param address who sent it, for a fair share of the places to wait for the keys
   * @returns `undefined` if it is not one of this issuer for this audience, or its time is over
   * @throws TrustedIssuerUnavailableError if the keys of the issuer could not be read yet, or too many requests wait for them
   * @see RFC 9068 §4, RFC 8725
   */
  async verify(token: string, address = ''): Promise<IssuerClaims | undefined> {
    const keys = await this.keys.current(address);
    if (keys === undefined) throw new TrustedIssuerUnavailableError(this.keys.waitMs);
    let payload = await this.payloadOf(token, keys);
    if (payload === 'unknown key') {
      const newer = await this.keys.newer(address);
      payload = newer && newer !== keys ? await this.payloadOf(token, newer) : undefined;
    }
    if (payload === undefined || payload === 'unknown key') return undefined;
    const claims = claimsOf(token, payload, this.rules);
    return claims && isTimely(claims, this.rules) ? claims : undefined;
  }

  private async payloadOf(
    token: string,
    keys: JWTVerifyGetKey,
  ): Promise<JWTPayload | 'unknown key' | undefined> {
    const { issuer, audience, algorithms, type, leewaySeconds } = this.rules;
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms: [...algorithms],
        typ: type === 'any' ? undefined : type,
        clockTolerance: leewaySeconds,
        requiredClaims: ['exp', 'iat', 'sub'],
      });
      return payload;
    } catch (error) {
      // Besides its own errors, those of Web Crypto for a key that does not fit.
      return error instanceof errors.JWKSNoMatchingKey ? 'unknown key' : undefined;
    }
  }
}

/** Whether a valid token is still valid. */
export function isTimely(
  { iat, exp, nbf }: IssuerClaims,
  { leewaySeconds, lifetimeSeconds }: IssuerRules,
  now = Date.now(),
): boolean {
  const seconds = now / 1000;
  if (exp + leewaySeconds <= seconds || iat - leewaySeconds > seconds) return false;
  if (nbf !== undefined && nbf - leewaySeconds > seconds) return false;
  return exp - iat <= lifetimeSeconds;
}

/** @returns `undefined` if a claim has the wrong type, and for a token that is bound to a key of its client (RFC 7800): a bearer does not prove the key */
export function claimsOf(token: string, payload: JWTPayload, rules: IssuerRules): IssuerClaims | undefined {
  const { iat, exp, nbf, jti, auth_time: authTime } = payload;
  const sub = subjectOf(payload);
  if (sub === undefined || !Number.isFinite(iat) || !Number.isFinite(exp)) return undefined;
  if (payload.cnf !== undefined || (jti !== undefined && typeof jti !== 'string')) return undefined;
  if (authTime !== undefined && !isTime(authTime)) return undefined;
  return {
    issuer: rules.issuer,
    subject: sub,
    iat: Number(iat),
    exp: Number(exp),
    nbf,
    tokenId: hashOf([rules.issuer, jti ?? withoutSignature(token)]),
    authTime,
    hasTwoFactors: rules.twoFactors.some(([claim, value]) => valuesOf(payload[claim]).includes(value)),
    role: rules.roles && (namesFor(payload, rules.roles)[0] ?? defaultRole),
    scopes: rules.scopes && namesFor(payload, rules.scopes),
  };
}

/** Of a JWT, whose signature has several spellings. */
function withoutSignature(token: string): string {
  return /^[^.]+\.[^.]+(?=\.)/.exec(token)?.[0] ?? token;
}

function isTime(value: unknown): value is number {
  return Number.isFinite(value);
}

/**
 * A text, or a number as our own tokens have it. Control characters are in no subject of a real issuer, and PostgreSQL stores no NUL.
 *
 * @returns `undefined` for others
 */
function subjectOf({ sub }: { readonly sub?: unknown }): string | undefined {
  if (Number.isSafeInteger(sub)) return String(sub);
  const isSubject =
    typeof sub === 'string' &&
    sub !== '' &&
    sub.length <= MAX_SUBJECT_CHARACTERS &&
    sub.isWellFormed() &&
    !/\p{Cc}/u.test(sub);
  return isSubject ? sub : undefined;
}

/** A hash of texts, none of which can be taken for another one's end. */
export function hashOf(texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('base64url');
}

/** What the values of a claim are here, in the order of the map. */
function namesFor(payload: JWTPayload, { claim, names }: ClaimMap): string[] {
  const values = valuesOf(claimAt(payload, claim));
  return names.filter(([value]) => values.includes(value)).map(([, name]) => name);
}

/** The claim of this name, which may have dots in it; otherwise by its path. */
function claimAt(payload: JWTPayload, claim: string): unknown {
  if (Object.hasOwn(payload, claim)) return payload[claim];
  return claim
    .split('.')
    .reduce<unknown>(
      (at, name) => (hasClaims(at) && Object.hasOwn(at, name) ? at[name] : undefined),
      payload,
    );
}

function hasClaims(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** A list, or a text with spaces between them, as `scope` is (RFC 9068 §2.2.3). */
function valuesOf(claim: unknown): readonly unknown[] {
  if (typeof claim === 'string') return claim.split(' ');
  return Array.isArray(claim) ? claim : [];
}
