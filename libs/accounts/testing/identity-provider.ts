import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { Configuration, Provider } from 'oidc-provider';

/** The claims for a provider's user. */
export interface ProviderUser {
  readonly email?: string;
  readonly email_verified?: boolean | string;
}

/** The parameters that the provider adds to the redirect URI. */
export interface RedirectParams {
  readonly code: string;
  readonly state: string;
  readonly iss: string;
}

/** The program's client. */
interface Poster {
  post(path: string): Promise<{ readonly json: { readonly url: string; readonly request: string } }>;
}

const appUrl = 'http://localhost:3000';
const api = 'https://shop.example.com';

/** An OpenID provider on this machine. Its users sign in at once, by their name. */
export class IdentityProvider {
  /** The users, by their subject. */
  readonly users = new Map<string, ProviderUser>();
  readonly clientId = 'sluice';
  readonly clientSecret = 'a secret of the provider';
  /** The introspecting client's credentials. They have characters that Basic authentication encodes. */
  readonly introspector = { client: 'shop-api:of+tests', secret: 'a%secret+of:the~api' };
  private server: Server | undefined;
  private port = 0;
  private handle: ReturnType<Provider['callback']> | undefined;

  private constructor(readonly name: string) {}

  /** @param name the name that the settings use */
  static async start(name: string): Promise<IdentityProvider> {
    const provider = new IdentityProvider(name);
    await provider.resume();
    await provider.rotateKeys();
    return provider;
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The settings for a program that uses this provider for sign-ins. */
  get env(): Record<string, string> {
    const prefix = `OIDC_${this.name.toUpperCase()}`;
    return {
      [`${prefix}_ISSUER`]: this.issuer,
      [`${prefix}_CLIENT_ID`]: this.clientId,
      [`${prefix}_CLIENT_SECRET`]: this.clientSecret,
    };
  }

  /** Starts to serve, on the same port after {@link stop}. */
  async resume(): Promise<void> {
    this.server = createServer((request, response) => void this.handle?.(request, response));
    await new Promise<void>((resolve) => {
      this.server?.listen(this.port, '127.0.0.1', resolve);
    });
    this.port = (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => {
      this.server?.close(resolve);
    });
  }

  /** Makes a new key that signs from now on, and withdraws the previous key. */
  async rotateKeys(): Promise<void> {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    // Loaded only here, because most tests have no provider.
    const { Provider } = await import('oidc-provider');
    const provider = new Provider(this.issuer, this.configuration(await exportJWK(privateKey)));
    const callback = provider.callback();
    this.handle = async (request, response) => {
      if (request.url?.startsWith('/interaction/')) await finishInteraction(provider, request, response);
      else await callback(request, response);
    };
  }

  /**
   * Signs a user in at the authorization URL.
   *
   * @param cookies the browser's cookies, so that a user who is already signed in at the provider is not asked again
   * @returns the parameters with which the client is sent back
   */
  async signIn(url: string, subject: string, cookies = new Map<string, string>()): Promise<RedirectParams> {
    let next = new URL(url);
    next.searchParams.set('login_hint', subject);
    while (!next.href.startsWith(appUrl)) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(next, { headers: { cookie }, redirect: 'manual' });
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null) throw new Error(`${next.href}: ${response.status} ${await response.text()}`);
      next = new URL(location, next);
    }
    const { code = '', state = '', iss = '', ...others } = Object.fromEntries(next.searchParams);
    if (code === '') throw new Error(JSON.stringify(others));
    return { code, state, iss };
  }

  /** Returns the parameters that complete a user's sign-in, or a link to the client's account. */
  async responseFor(
    client: Poster,
    subject: string = crypto.randomUUID(),
    what: 'authorize' | 'link' = 'authorize',
  ): Promise<RedirectParams & { readonly request: string }> {
    const { url, request } = (await client.post(`/auth/providers/${this.name}/${what}`)).json;
    return { request, ...(await this.signIn(url, subject)) };
  }

  /** Returns a user's opaque tokens for an API. The provider names the audience `shop-api`. */
  async tokensOf(subject: string): Promise<{ readonly accessToken: string; readonly refreshToken: string }> {
    const [verifier, redirect] = ['v'.repeat(43), `${appUrl}/sign-in/${this.name}`];
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const query = {
      client_id: this.clientId,
      response_type: 'code',
      redirect_uri: redirect,
      scope: 'openid read',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      resource: api,
    };
    const { code } = await this.signIn(
      `${this.issuer}/auth?${new URLSearchParams(query).toString()}`,
      subject,
    );
    const json = await this.post('token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirect,
      code_verifier: verifier,
      resource: api,
    });
    return { accessToken: String(json.access_token), refreshToken: String(json.refresh_token) };
  }

  /** Revokes a token. */
  async revoke(token: string): Promise<void> {
    await this.post('token/revocation', { token });
  }

  private async post(path: string, body: Readonly<Record<string, string>>): Promise<Record<string, unknown>> {
    const client = { client_id: this.clientId, client_secret: this.clientSecret };
    const response = await fetch(`${this.issuer}/${path}`, {
      method: 'POST',
      body: new URLSearchParams({ ...client, ...body }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return text === '' ? {} : JSON.parse(text);
  }

  private configuration(key: JWK): Configuration {
    return {
      clients: [
        {
          client_id: this.clientId,
          client_secret: this.clientSecret,
          token_endpoint_auth_method: 'client_secret_post',
          redirect_uris: [`${appUrl}/sign-in/${this.name}`],
          grant_types: ['authorization_code', 'refresh_token'],
        },
        {
          client_id: this.introspector.client,
          client_secret: this.introspector.secret,
          redirect_uris: [],
          response_types: [],
          grant_types: [],
        },
      ],
      issueRefreshToken: async () => true,
      jwks: { keys: [{ ...key, use: 'sig', alg: 'RS256' }] },
      cookies: { keys: ['of the tests'] },
      claims: { email: ['email', 'email_verified'] },
      pkce: { required: () => true },
      features: {
        devInteractions: { enabled: false },
        introspection: { enabled: true },
        revocation: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: () => ({ scope: 'read', audience: 'shop-api', accessTokenFormat: 'opaque' }),
        },
      },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      findAccount: (_context, sub) => ({
        accountId: sub,
        claims: () => ({ sub, ...this.users.get(sub) }),
      }),
      loadExistingGrant: async ({ oidc }) => {
        const grant = new oidc.provider.Grant({
          clientId: oidc.client?.clientId,
          accountId: oidc.session?.accountId,
        });
        grant.addOIDCScope('openid email');
        grant.addResourceScope(api, 'read');
        await grant.save();
        return grant;
      },
    };
  }
}

async function finishInteraction(
  provider: Provider,
  ...[request, response]: Parameters<Provider['interactionDetails']>
): Promise<void> {
  const { params } = await provider.interactionDetails(request, response);
  await provider.interactionFinished(request, response, { login: { accountId: String(params.login_hint) } });
}
