import { addressSubject, isOwnSecret } from '@app/accounts';
import { BoundedCache } from '@app/auth';
import { decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose';
import type { IssuerIntrospection } from './issuer-introspection';
import type { IssuerRules } from './issuer-rules';
import { type IssuerClaims, type IssuerTokens, isTimely } from './issuer-tokens';

/** The maximum token length. It exceeds a Keycloak or Entra token with many roles, while Node limits all headers to 16 KiB. */
const MAX_TOKEN_CHARACTERS = 8192;
/** The limits for the cache of verified tokens, which takes at most 8 MiB. */
const MAX_CACHED_TOKENS = 2048;
const MAX_CACHED_CHARACTERS = 4096;
/** An opaque token's maximum length. All opaque tokens are cached, since each costs a request to the issuer. */
const MAX_OPAQUE_CHARACTERS = 2048;

/** A verified token. */
export interface Remembered<Value> {
  readonly rules: IssuerRules;
  readonly claims: IssuerClaims;
  /** Returns whether the verification is still current. */
  readonly isCurrent: () => boolean;
  /** The value that `load` returned. */
  readonly value: Value;
}

/** Verifies each token from several issuers once, and remembers the valid tokens. */
export class TrustedTokens<Value> {
  private readonly byIssuer: ReadonlyMap<string, IssuerTokens>;
  private readonly verified = new BoundedCache<Remembered<Value>>(MAX_CACHED_TOKENS);

  /**
   * @param load returns the value to remember with a token; `undefined` rejects the token this time
   * @param introspection the issuer that is asked about opaque tokens
   */
  constructor(
    issuers: readonly IssuerTokens[],
    private readonly load: (claims: IssuerClaims) => Promise<Value | undefined> | Value,
    private readonly introspection?: IssuerIntrospection,
  ) {
    this.byIssuer = new Map(issuers.map((tokens) => [tokens.rules.issuer, tokens]));
  }

  /** @returns `undefined` for a token that is unknown, expired, or verified with replaced keys */
  remembered(token: string): Remembered<Value> | undefined {
    const cached = this.verified.get(token);
    return cached?.isCurrent() ? cached : undefined;
  }

  /**
   * Verifies a token by the issuer in its `iss`. An opaque token names no issuer, so it is introspected if that is set up.
   *
   * @param ip the request's address
   * @returns `undefined` if the token is invalid or its user is unknown here
   * @throws TrustedIssuerUnavailableError
   */
  verify(token: string, ip: string): Promise<Remembered<Value> | undefined> | undefined {
    if (token.length > MAX_TOKEN_CHARACTERS) return undefined;
    const claims = claimsIn(token);
    if (claims === undefined)
      return isOurs(token)
        ? undefined
        : this.introspection && this.verifyOpaque(this.introspection, token, ip);
    const tokens = this.byIssuer.get(String(claims.iss));
    return tokens && this.verifyBy(tokens, token, addressSubject(ip));
  }

  private async verifyOpaque(
    introspection: IssuerIntrospection,
    token: string,
    ip: string,
  ): Promise<Remembered<Value> | undefined> {
    if (token.length > MAX_OPAQUE_CHARACTERS) return undefined;
    const { claims, untilMs } = await introspection.introspect(token, ip);
    const value = claims && (await this.load(claims));
    if (claims === undefined || value === undefined) return undefined;
    const { rules } = introspection;
    const isCurrent = () => introspection.now() < untilMs && isTimely(claims, rules);
    const verified = { rules, claims, isCurrent, value };
    this.verified.set(token, verified);
    return verified;
  }

  private async verifyBy(
    tokens: IssuerTokens,
    token: string,
    address: string,
  ): Promise<Remembered<Value> | undefined> {
    await tokens.keys.current(address);
    // Of before: keys that change meanwhile verify it again.
    const { version } = tokens.keys;
    const claims = await tokens.verify(token, address);
    const value = claims && (await this.load(claims));
    if (claims === undefined || value === undefined) return undefined;
    const { rules, keys } = tokens;
    const isCurrent = () => {
      keys.touch();
      return version === keys.version && isTimely(claims, rules);
    };
    const verified = { rules, claims, isCurrent, value };
    if (token.length <= MAX_CACHED_CHARACTERS) this.verified.set(token, verified);
    return verified;
  }
}

/** Returns whether a text is our own secret or a damaged JWT, which an issuer's introspection endpoint must not receive. */
function isOurs(token: string): boolean {
  return isOwnSecret(token) || (token.split('.').length === 3 && hasHeader(token));
}

function hasHeader(token: string): boolean {
  try {
    return decodeProtectedHeader(token) !== undefined;
  } catch {
    return false;
  }
}

/** Returns the unverified claims in a JWT. They only select the issuer and its keys. */
function claimsIn(token: string): JWTPayload | undefined {
  try {
    return decodeJwt(token);
  } catch {
    return undefined;
  }
}
