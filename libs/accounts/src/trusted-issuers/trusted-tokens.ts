import { BoundedCache } from '@app/auth';
import { decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose';
import { keyPrefix } from '../api-keys/api-key-text';
import { addressSubject } from '../limits/attempt-subjects';
import { isOneTimeSecret } from '../one-time-secret';
import { parseRefreshToken } from '../sessions/refresh-token';
import type { IssuerIntrospection } from './issuer-introspection';
import type { IssuerRules } from './issuer-rules';
import { type IssuerClaims, type IssuerTokens, isTimely } from './issuer-tokens';

/** Larger than one of Keycloak or Entra with many roles; Node limits all headers to 16 KiB. */
const MAX_TOKEN_CHARACTERS = 8192;
/** Limits of the cache of verified tokens: at most 8 MiB. */
const MAX_CACHED_TOKENS = 2048;
const MAX_CACHED_CHARACTERS = 4096;
/** All of them are cached, since each costs a request to the issuer. */
const MAX_OPAQUE_CHARACTERS = 2048;

/** A verified token. */
export interface Remembered<Value> {
  readonly rules: IssuerRules;
  readonly claims: IssuerClaims;
  /** Whether it need not be verified again. */
  readonly isCurrent: () => boolean;
  /** What {@link TrustedTokens} was given for it. */
  readonly value: Value;
}

/** Tokens of several issuers: verifies each once, and remembers the valid ones. */
export class TrustedTokens<Value> {
  private readonly byIssuer: ReadonlyMap<string, IssuerTokens>;
  private readonly verified = new BoundedCache<Remembered<Value>>(MAX_CACHED_TOKENS);

  /**
   * @param load what is remembered with a token; `undefined` rejects it, this time
   * @param introspection of the issuer that is asked about opaque tokens
   */
  constructor(
    issuers: readonly IssuerTokens[],
    private readonly load: (claims: IssuerClaims) => Promise<Value | undefined> | Value,
    private readonly introspection?: IssuerIntrospection,
  ) {
    this.byIssuer = new Map(issuers.map((tokens) => [tokens.rules.issuer, tokens]));
  }

  /** @returns `undefined` if the token was not verified before, by the keys of now, or its time is over */
  remembered(token: string): Remembered<Value> | undefined {
    const found = this.verified.get(token);
    return found?.isCurrent() ? found : undefined;
  }

  /**
   * Verifies a token of one of the issuers, which its `iss` names. An opaque one names none, and is introspected where that is set up.
   *
   * @param ip of the request
   * @returns `undefined` if it is invalid, or of nobody here
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

/** Whether a text is a secret of this program, or a damaged JWT, which the introspection endpoint of an issuer must not be sent. */
function isOurs(token: string): boolean {
  if (token.startsWith(keyPrefix) || isOneTimeSecret(token) || parseRefreshToken(token) !== undefined)
    return true;
  return token.split('.').length === 3 && hasHeader(token);
}

function hasHeader(token: string): boolean {
  try {
    return decodeProtectedHeader(token) !== undefined;
  } catch {
    return false;
  }
}

/** The claims of a JWT, none of which is verified yet: only the keys of the issuer that they name are tried. */
function claimsIn(token: string): JWTPayload | undefined {
  try {
    return decodeJwt(token);
  } catch {
    return undefined;
  }
}
