import { createHash } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { TrustedIssuerUnavailableError } from './errors';
import type { IssuerKeys } from './issuer-keys';
import type { ClaimMap, IssuerRules } from './issuer-rules';

/** The parts of a valid token from a trusted issuer that we use. Times are seconds since 1970. */
export interface IssuerClaims {
  readonly issuer: string;
  readonly subject: string;
  readonly iat: number;
  readonly exp: number;
  readonly nbf?: number;
  /** The id derived from the issuer and the `jti`, or from the token if it has no `jti`. Revokes this token alone. */
  readonly tokenId: string;
  readonly authTime?: number;
  /** Whether the user signed in at the issuer with two factors. */
  readonly hasTwoFactors: boolean;
  /** The mapped role, if the rules map roles. */
  readonly role?: string;
  /** The mapped scopes, if the rules map scopes. */
  readonly scopes?: readonly string[];
}

/** A subject's maximum length, from OpenID Connect Core §2. */
const MAX_SUBJECT_CHARACTERS = 255;
/** The role for a caller without a mapped claim. A new account has the same role. */
const defaultRole = 'user';

/** Verifies an issuer's tokens. */
export class IssuerTokens {
  constructor(
    readonly rules: IssuerRules,
    readonly keys: IssuerKeys,
  ) {}

  /**
   * Verifies a token. Its header selects the key by `kid` alone; `jku`, `x5u` and `jwk` are ignored.
   *
   * @param address the sender, for a fair share of the places that wait for keys
   * @returns `undefined` if the issuer or audience differs, or the token is not valid now
   * @throws TrustedIssuerUnavailableError if the issuer's keys are still unavailable, or too many requests wait for them
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

/** Returns whether a verified token is valid now. */
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

/** @returns `undefined` for a wrongly typed claim, and for a token bound to a key (RFC 7800), which a bearer does not prove */
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

/** Returns a JWT's content without its signature, which has several spellings. */
function withoutSignature(token: string): string {
  return /^[^.]+\.[^.]+(?=\.)/.exec(token)?.[0] ?? token;
}

function isTime(value: unknown): value is number {
  return Number.isFinite(value);
}

/**
 * Returns the subject, which is a text, or a number as in our own tokens. Real issuers avoid control characters.
 *
 * @returns `undefined` for an invalid subject, such as a text with NUL, which PostgreSQL cannot store
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

/** Hashes texts so that different lists never give the same input. */
function hashOf(texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('base64url');
}

/** Returns the names for a claim's values, in the order of the map. */
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
