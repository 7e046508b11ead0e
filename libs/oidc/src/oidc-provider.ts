import { FairPlaces, fetchBounded, FetchFailedError, isUrlOf } from '@app/auth';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  customFetch,
  type CustomFetchOptions,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
} from 'openid-client';
import { ProviderUnavailableError } from './errors';
import type { AuthorizationSecrets } from './oidc-authorizations';
import { checkMetadata, type ProviderClaims, readClaims, readUserInfo } from './provider-documents';

const TIMEOUT_SECONDS = 5;
/** The pause after a failed attempt. */
const RETRY_MS = 10_000;
/** The maximum age of metadata. It is then read again, and stays in use until that succeeds. */
const MAX_AGE_MS = 3_600_000;
/** A user who signed in at the provider before that signs in there again. */
const MAX_SIGN_IN_SECONDS = 30 * 86_400;

/** The rules for signing in through an identity provider. */
export interface OidcRules {
  readonly name: string;
  /** The issuer, exactly as in its metadata. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: string;
  /** The way in which the provider sends users back: by GET, or by POST with a form. */
  readonly responseMode: 'query' | 'form_post';
  /** Whether an e-mail counts as verified here if the provider says that it is verified. */
  readonly trustsEmails: boolean;
  /** Whether the text `"true"` also counts as verified. */
  readonly acceptsVerifiedText: boolean;
  /** Whether a new identity gets a new account. */
  readonly createsAccounts: boolean;
  /** Whether only `auth_time` states the time of a sign-in. Otherwise a sign-in that lacks it counts from its completion. */
  readonly requiresAuthTime: boolean;
  /** The URL to which the provider sends users back. */
  readonly redirectUri: string;
}

/** The response that the provider sent to the redirect URI. */
export interface ProviderResponse {
  readonly code: string;
  readonly state: string;
  /** @see RFC 9207 */
  readonly iss?: string;
}

/** A signed-in user's identity, as the provider states it. */
export interface ProvenIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly email?: string;
  readonly isEmailVerified: boolean;
  /** The time of the provider's sign-in, in seconds since 1970; 0 if the provider does not say, `undefined` if irrelevant. */
  readonly authTime?: number;
}

/** Reports a provider's failure, for the log. */
export type ProviderReport = (failure: { readonly provider: string; readonly reason: string }) => void;

/** An identity provider, which is found by OpenID Connect Discovery. */
export class OidcProvider {
  private found: Configuration | undefined;
  private readAt = -Infinity;
  private retryAt = -Infinity;
  private reading: Promise<void> | undefined;
  /** Requests that wait for the provider. */
  readonly waiting = new FairPlaces();

  /** @param now returns a monotonic clock's milliseconds */
  constructor(
    readonly rules: OidcRules,
    private readonly report: ProviderReport = () => {},
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Reads the metadata, unless they are known.
   *
   * @throws ProviderUnavailableError if they could not be read yet
   */
  async configuration(): Promise<Configuration> {
    const { found: discovered } = this;
    if (discovered === undefined) await this.refresh();
    else if (this.now() - this.readAt > MAX_AGE_MS) void this.refresh();
    if (this.found === undefined) throw new ProviderUnavailableError(Math.max(this.retryAt - this.now(), 0));
    return this.found;
  }

  /**
   * @param prompt `login` makes the provider verify the user again
   * @throws ProviderUnavailableError
   */
  async authorizationUrl(
    { state, nonce, verifier }: AuthorizationSecrets,
    prompt?: 'login',
  ): Promise<string> {
    const { redirectUri, scopes, responseMode } = this.rules;
    const url = buildAuthorizationUrl(await this.configuration(), {
      redirect_uri: redirectUri,
      scope: scopes,
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(responseMode !== 'query' && { response_mode: responseMode }),
      // With a `max_age`, the ID token has `auth_time`.
      ...(prompt === undefined ? { max_age: String(MAX_SIGN_IN_SECONDS) } : { prompt, max_age: '0' }),
    });
    return url.href;
  }

  /**
   * Exchanges a response's code for the user's identity. It verifies the ID token's signature, `iss`, `aud` and `nonce`.
   *
   * @returns `undefined` if the response or a token is invalid
   * @throws ProviderUnavailableError
   */
  async identify(
    response: ProviderResponse,
    { state, nonce, verifier }: AuthorizationSecrets,
  ): Promise<ProvenIdentity | undefined> {
    const configuration = await this.configuration();
    try {
      const tokens = await authorizationCodeGrant(configuration, this.responseUrl(response), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = readClaims(tokens.claims());
      const hasMore =
        claims.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined;
      const more = hasMore
        ? readUserInfo(await fetchUserInfo(configuration, tokens.access_token, claims.sub))
        : claims;
      const authTime = claims.auth_time ?? (this.rules.requiresAuthTime ? 0 : undefined);
      return { ...identityOf(this.rules, { ...claims, ...more }), authTime };
    } catch (error) {
      this.report({ provider: this.rules.name, reason: reasonOf(error) });
      if (isUnavailable(error)) throw new ProviderUnavailableError(RETRY_MS);
      return undefined;
    }
  }

  private responseUrl({ code, state, iss }: ProviderResponse): URL {
    const url = new URL(this.rules.redirectUri);
    url.searchParams.set('code', code);
    url.searchParams.set('state', state);
    if (iss !== undefined) url.searchParams.set('iss', iss);
    return url;
  }

  private refresh(): Promise<void> {
    if (this.now() < this.retryAt) return Promise.resolve();
    this.reading ??= this.read().finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  private async read(): Promise<void> {
    try {
      this.found = await this.discover();
      this.readAt = this.now();
    } catch (error) {
      this.retryAt = this.now() + RETRY_MS;
      this.report({ provider: this.rules.name, reason: reasonOf(error) });
    }
  }

  private async discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.rules;
    const isPlain = issuer.startsWith('http:');
    const configuration = await discovery(new URL(issuer), clientId, clientSecret, clientAuth(clientSecret), {
      timeout: TIMEOUT_SECONDS,
      execute: [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])],
      [customFetch]: (url, options) => fetchOf(issuer, url, options),
    });
    checkMetadata(issuer, configuration.serverMetadata());
    return configuration;
  }
}

/** The program's identity providers. */
export class OidcProviders {
  constructor(readonly all: readonly OidcProvider[]) {}
}

/** Fetches a document from a provider. Redirects fail, documents are bounded, and plain HTTP never leaves the machine. */
function fetchOf(issuer: string, url: string, { signal, ...options }: CustomFetchOptions): Promise<Response> {
  if (!isUrlOf(issuer, url)) throw new FetchFailedError(`${url} is not by HTTPS`);
  return fetchBounded(url, { ...options, signal: signal ?? null });
}

/** Authenticates by `client_secret_post` if the provider lists it, otherwise by the default `client_secret_basic`. */
function clientAuth(secret: string): ClientAuth {
  const [post, basic] = [ClientSecretPost(secret), ClientSecretBasic(secret)];
  return (server, ...request) => {
    const { token_endpoint_auth_methods_supported: methods = [] } = server;
    return (methods.includes('client_secret_post') ? post : basic)(server, ...request);
  };
}

function identityOf(
  { issuer, acceptsVerifiedText }: OidcRules,
  { sub: subject, email, email_verified: verified }: ProviderClaims,
): ProvenIdentity {
  const isVerified = verified === true || (acceptsVerifiedText && verified === 'true');
  return { issuer, subject, email, isEmailVerified: email !== undefined && isVerified };
}

function isUnavailable(error: unknown): boolean {
  if (error instanceof FetchFailedError) return true;
  return error instanceof Error && error.cause !== undefined && isUnavailable(error.cause);
}

/** Returns the reason with its `cause`, where openid-client puts the details. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
