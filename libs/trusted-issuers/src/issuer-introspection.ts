import { addressSubject } from '@app/accounts';
import { BoundedCache, FairPlaces, fetchBounded, FetchFailedError } from '@app/auth';
import type { JWTPayload } from 'jose';
import { TrustedIssuerUnavailableError } from './errors';
import { discoverUrl } from './discover-url';
import { isJsonObject } from './fetch-json';
import type { IntrospectionRules } from './introspection-rules';
import type { IssuerRules } from './issuer-rules';
import { claimsOf, type IssuerClaims, isTimely } from './issuer-tokens';

const TIMEOUT_MS = 2_000;
/** The pause after an issuer failure. Tokens are rejected at once meanwhile, so that requests do not wait in turn. */
const PAUSE_MS = 1_000;
/** The cache time for negative responses. It is shorter than a person takes to try again. */
const NEGATIVE_MS = 10_000;
/** The most pending introspections; further requests get 503. It limits attacks on the issuer with random tokens. */
const MAX_PENDING = 16;
const MAX_CACHED_TOKENS = 2048;

/** The issuer's response about a token, and the time on the monotonic clock until which it is used. */
export interface Introspected {
  /** The claims; `undefined` for a token that is invalid here. */
  readonly claims: IssuerClaims | undefined;
  readonly untilMs: number;
}

/** Options of {@link IssuerIntrospection}. */
export interface IntrospectionOptions {
  /** Called with each issuer failure, for the log. */
  readonly report?: (failure: string) => void;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  readonly timeoutMs?: number;
}

/**
 * Asks a trusted issuer about opaque tokens.
 *
 * @see RFC 7662
 */
export class IssuerIntrospection {
  private readonly answers = new BoundedCache<Introspected>(MAX_CACHED_TOKENS);
  /** The answers that are awaited, by token. */
  private readonly pending = new Map<string, Promise<Introspected>>();
  private readonly asked = new FairPlaces(MAX_PENDING);
  private readonly waiting = new FairPlaces();
  /** The introspection endpoint, which is discovered with the first token and again after a failure. */
  private endpoint: Promise<string> | undefined;
  private pausedUntilMs = -Infinity;
  private readonly report: (failure: string) => void;
  readonly now: () => number;
  private readonly timeoutMs: number;

  constructor(
    readonly rules: IssuerRules,
    private readonly client: IntrospectionRules,
    { report = () => {}, now = () => performance.now(), timeoutMs = TIMEOUT_MS }: IntrospectionOptions = {},
  ) {
    this.report = report;
    this.now = now;
    this.timeoutMs = timeoutMs;
  }

  /**
   * Introspects a token, or uses an earlier response. Requests with the same token share a response.
   *
   * @param ip the request's address
   * @throws TrustedIssuerUnavailableError if the issuer does not respond properly, or if too many requests wait, in total or
   *   from this address
   */
  introspect(token: string, ip: string): Introspected | Promise<Introspected> {
    const cached = this.answers.get(token);
    if (cached !== undefined && cached.untilMs > this.now()) return cached;
    const address = addressSubject(ip);
    const answer = this.waiting.hold(address, () => this.pending.get(token) ?? this.begin(token, address));
    return answer ?? refused(PAUSE_MS);
  }

  private begin(token: string, address: string): Promise<Introspected> {
    const waitMs = this.pausedUntilMs - this.now();
    const asked = waitMs > 0 ? undefined : this.asked.hold(address, () => this.ask(token));
    if (asked === undefined) return refused(Math.max(waitMs, PAUSE_MS));
    const answer = asked
      .then((introspected) => {
        this.answers.set(token, introspected);
        return introspected;
      })
      .finally(() => this.pending.delete(token));
    this.pending.set(token, answer);
    return answer;
  }

  private async ask(token: string): Promise<Introspected> {
    try {
      const payload = await this.read(token);
      const claims = payload && this.claimsIn(token, payload);
      const until = claims
        ? Math.min(this.client.cacheSeconds * 1000, claims.exp * 1000 - Date.now())
        : NEGATIVE_MS;
      return { claims, untilMs: this.now() + until };
    } catch (error) {
      this.endpoint = undefined;
      this.pausedUntilMs = this.now() + PAUSE_MS;
      this.report(error instanceof Error ? error.message : String(error));
      throw new TrustedIssuerUnavailableError(PAUSE_MS);
    }
  }

  /** @returns `undefined` for an inactive token */
  private async read(token: string): Promise<JWTPayload | undefined> {
    this.endpoint ??= discoverUrl(this.rules.issuer, 'introspection_endpoint', this.timeoutMs);
    const url = await this.endpoint;
    const response = await fetchBounded(url, {
      method: 'POST',
      headers: { accept: 'application/json', authorization: basicOf(this.client) },
      body: new URLSearchParams({ token, token_type_hint: 'access_token' }),
      signal: AbortSignal.timeout(this.timeoutMs),
    });
    if (response.status !== 200) throw new FetchFailedError(`${url}: status ${response.status}`);
    // A response that is no JSON may repeat the token: it is in no message.
    const payload: unknown = await response.json().catch(() => undefined);
    if (!isJsonObject(payload) || typeof payload.active !== 'boolean')
      throw new FetchFailedError(`${url}: no response of RFC 7662`);
    return payload.active ? payload : undefined;
  }

  /** Reads the claims by the same rules as JWT claims. Refresh tokens are active too, but they are rejected. */
  private claimsIn(token: string, payload: JWTPayload): IssuerClaims | undefined {
    const { iss = this.rules.issuer, aud, token_type: type } = payload;
    const isBearer = typeof type === 'string' && /^bearer$/i.test(type);
    const isAccessToken = isBearer || (type === undefined && this.rules.type === 'any');
    const isForUs = [aud].flat().includes(this.rules.audience);
    if (iss !== this.rules.issuer || !isAccessToken || !isForUs) return undefined;
    const claims = claimsOf(token, payload, this.rules);
    return claims && isTimely(claims, this.rules) ? claims : undefined;
  }
}

function refused(waitMs: number): Promise<never> {
  return Promise.reject(new TrustedIssuerUnavailableError(waitMs));
}

/** @see RFC 6749 §2.3.1: both parts are form-encoded before they are joined */
function basicOf({ client, secret }: IntrospectionRules): string {
  const encoded = [client, secret].map((text) => new URLSearchParams([['', text]]).toString().slice(1));
  return `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`;
}
