import { FairPlaces, fetchBounded, FetchFailedError } from '@app/auth';
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
import { isUrlOf } from '../../trusted-issuers/issuer-rules';

const TIMEOUT_SECONDS = 5;
/** After an attempt that failed. */
const RETRY_MS = 10_000;
/** Metadata is read again, and used until that succeeds. */
const MAX_AGE_MS = 3_600_000;
/** A user who signed in at the provider before that signs in there again. */
const MAX_SIGN_IN_SECONDS = 30 * 86_400;

/** How users sign in through an identity provider. */
export interface OidcRules {
  readonly name: string;
  /** Exactly as in its metadata. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: string;
  /** Whether the provider sends users back by GET or, with a form, by POST. */
  readonly responseMode: 'query' | 'form_post';
  /** Whether an e-mail that the provider says is verified counts as verified here. */
  readonly trustsEmails: boolean;
  /** Whether the text `"true"` says as well that an e-mail is verified. */
  readonly acceptsVerifiedText: boolean;
  /** Whether an identity without an account gets a new one. */
  readonly createsAccounts: boolean;
  /** Whether `auth_time` alone says when it verified the user; otherwise a sign-in without one counts as made when it was completed. */
  readonly requiresAuthTime: boolean;
  /** Where it sends users back to. */
  readonly redirectUri: string;
}

/** What the provider sent to the redirect URI. */
export interface ProviderResponse {
  readonly code: string;
  readonly state: string;
  /** @see RFC 9207 */
  readonly iss?: string;
}

/** Who signed in, as the provider says. */
export interface ProvenIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly email?: string;
  readonly isEmailVerified: boolean;
  /** When the provider verified the user, in seconds since 1970; 0 if it does not say, `undefined` if that does not matter. */
  readonly authTime?: number;
}

/** What failed at a provider, for the log. */
export type ProviderReport = (failure: { readonly provider: string; readonly reason: string }) => void;

/** An identity provider, which is found by OpenID Connect Discovery. */
export class OidcProvider {
  private found: Configuration | undefined;
  private readAt = -Infinity;
  private retryAt = -Infinity;
  private reading: Promise<void> | undefined;
  /** Requests that wait for the provider. */
  readonly waiting = new FairPlaces();

  /** @param now milliseconds of a monotonic clock */
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
    const { found } = this;
    if (found === undefined) await this.refresh();
    else if (this.now() - this.readAt > MAX_AGE_MS) void this.refresh();
    if (this.found === undefined) throw new ProviderUnavailableError(Math.max(this.retryAt - this.now(), 0));
    return this.found;
  }

  /**
   * @param prompt `login`: the user is verified again
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
   * Exchanges the code of a response for who signed in. The signature of the ID token is verified, with its `iss`, `aud` and `nonce`.
   *
   * @returns `undefined` if the response or a token is not valid
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

/** Redirects are not followed, documents are bounded, and plain HTTP never leaves the machine. */
function fetchOf(issuer: string, url: string, { signal, ...options }: CustomFetchOptions): Promise<Response> {
  if (!isUrlOf(issuer, url)) throw new FetchFailedError(`${url} is not by HTTPS`);
  return fetchBounded(url, { ...options, signal: signal ?? null });
}

/** By `client_secret_basic`, the default of OpenID Connect Discovery, only where the provider does not name `client_secret_post`. */
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

/** Messages of openid-client say what is wrong in the `cause`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
