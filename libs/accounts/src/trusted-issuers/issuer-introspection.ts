import { BoundedCache, FairPlaces, fetchBounded, FetchFailedError } from '@app/auth';
import type { JWTPayload } from 'jose';
import { TrustedIssuerUnavailableError } from '../errors';
import { addressSubject } from '../limits/attempt-subjects';
import { discoverUrl } from './discover-url';
import { isJsonObject } from './fetch-json';
import type { IntrospectionRules } from './introspection-rules';
import type { IssuerRules } from './issuer-rules';
import { claimsOf, type IssuerClaims, isTimely } from './issuer-tokens';

const TIMEOUT_MS = 2_000;
/** After a failure of the issuer none of its tokens is sent for so long: requests do not wait one after the other. */
const PAUSE_MS = 1_000;
/** That the issuer knows no such token is used for so long; it is less than the time in which a person tries again. */
const NEGATIVE_MS = 10_000;
/** Random tokens are an attack on the issuer through this program: more at once are a 503. */
const MAX_PENDING = 16;
const MAX_CACHED_TOKENS = 2048;

/** What the issuer says of a token, and until when that is used by the monotonic clock. */
export interface Introspected {
  /** `undefined` for a token that is not valid here. */
  readonly claims: IssuerClaims | undefined;
  readonly untilMs: number;
}

/** How a class of this module measures and waits. */
export interface IntrospectionOptions {
  /** Called with each failure of the issuer, for the log. */
  readonly report?: (failure: string) => void;
  /** Milliseconds of a monotonic clock. */
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
  /** Found with the first token, and again after a failure. */
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
   * Introspects a token, or uses an earlier response; several requests with one token wait for one response.
   *
   * @param ip of the request
   * @throws TrustedIssuerUnavailableError if the issuer does not respond as it should, or too many requests wait for it, of all addresses
   *   or of this one
   */
  introspect(token: string, ip: string): Introspected | Promise<Introspected> {
    const known = this.answers.get(token);
    if (known !== undefined && known.untilMs > this.now()) return known;
    const address = addressSubject(ip);
    const answer = this.waiting.hold(address, () => this.pending.get(token) ?? this.begin(token, address));
    return answer ?? refused(PAUSE_MS);
  }

  private begin(token: string, address: string): Promise<Introspected> {
    const waitMs = this.pausedUntilMs - this.now();
    const asked = waitMs > 0 ? undefined : this.asked.hold(address, () => this.ask(token));
    if (asked === undefined) return refused(Math.max(waitMs, PAUSE_MS));
    const answer = asked
      .then((found) => {
        this.answers.set(token, found);
        return found;
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

  /** @returns `undefined` for a token that is not active */
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

  /** By the same rules as the claims of a JWT. A refresh token is active too, and no access token. */
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

/** @see RFC 6749 §2.3.1: both are encoded as in forms before they are joined */
function basicOf({ client, secret }: IntrospectionRules): string {
  const encoded = [client, secret].map((text) => new URLSearchParams([['', text]]).toString().slice(1));
  return `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`;
}
