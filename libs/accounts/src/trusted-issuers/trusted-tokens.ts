import { BoundedCache } from '@app/auth';
import { decodeJwt } from 'jose';
import type { IssuerClaims, IssuerTokens } from './issuer-tokens';

/** Larger than one of Keycloak or Entra with many roles; Node limits all headers to 16 KiB. */
const MAX_TOKEN_CHARACTERS = 8192;
/** Limits of the cache of verified tokens: at most 8 MiB. */
const MAX_CACHED_TOKENS = 2048;
const MAX_CACHED_CHARACTERS = 4096;

/** A verified token. */
export interface Remembered<Value> {
  readonly tokens: IssuerTokens;
  readonly claims: IssuerClaims;
  /** Of the keys that verified it. */
  readonly version: number;
  /** What {@link TrustedTokens} was given for it. */
  readonly value: Value;
}

/** Tokens of several issuers: verifies each once, and remembers the valid ones. */
export class TrustedTokens<Value> {
  private readonly byIssuer: ReadonlyMap<string, IssuerTokens>;
  private readonly verified = new BoundedCache<Remembered<Value>>(MAX_CACHED_TOKENS);

  /** @param load what is remembered with a token; `undefined` rejects it, this time */
  constructor(
    issuers: readonly IssuerTokens[],
    private readonly load: (claims: IssuerClaims) => Promise<Value | undefined> | Value,
  ) {
    this.byIssuer = new Map(issuers.map((tokens) => [tokens.rules.issuer, tokens]));
  }

  /** @returns `undefined` if the token was not verified before, by the keys of now, or its time is over */
  remembered(token: string): Remembered<Value> | undefined {
    const found = this.verified.get(token);
    if (found === undefined) return undefined;
    const { tokens, claims, version } = found;
    tokens.keys.touch();
    return version === tokens.keys.version && tokens.isTimely(claims) ? found : undefined;
  }

  /**
   * Verifies a token of one of the issuers, which its `iss` names.
   *
   * @returns `undefined` if it is invalid, or of nobody here
   * @throws TrustedIssuerUnavailableError
   */
  verify(token: string): Promise<Remembered<Value> | undefined> | undefined {
    const tokens = this.issuerOf(token);
    return tokens && this.verifyBy(tokens, token);
  }

  private async verifyBy(tokens: IssuerTokens, token: string): Promise<Remembered<Value> | undefined> {
    await tokens.keys.current();
    // Of before: keys that change meanwhile verify it again.
    const { version } = tokens.keys;
    const claims = await tokens.verify(token);
    const value = claims && (await this.load(claims));
    if (claims === undefined || value === undefined) return undefined;
    const verified = { tokens, claims, version, value };
    if (token.length <= MAX_CACHED_CHARACTERS) this.verified.set(token, verified);
    return verified;
  }

  /** By a claim that is not verified yet: only the keys of that issuer are tried. */
  private issuerOf(token: string): IssuerTokens | undefined {
    if (token.length > MAX_TOKEN_CHARACTERS) return undefined;
    try {
      return this.byIssuer.get(String(decodeJwt(token).iss));
    } catch {
      return undefined;
    }
  }
}
