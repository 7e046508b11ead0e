import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** The response that a provider sends to the service's page through the user's browser. */
export interface ProviderResponse {
  readonly code: string;
  readonly state: string;
  /** The issuer (RFC 9207). */
  readonly iss: string;
}

/** An authorization that a user gave. */
interface Granted {
  readonly subject: string;
  readonly clientId: string;
  readonly nonce: string;
  readonly challenge: string;
  /** The additional claims of the ID token. */
  readonly claims: object;
}

const lifetimeSeconds = 300;

/**
 * An identity provider (OpenID Connect) for the attack. Its users agree to everything, and it accepts each code from any sender
 * any number of times, because a service must not depend on its checks.
 */
export class IdentityProvider {
  readonly name: string;
  issuer = '';
  /** The codes that the provider received. */
  readonly codes: string[] = [];
  /** The codes that arrived without the proof that the service began the authorization (RFC 7636). */
  readonly unproven: string[] = [];
  /** The opaque tokens that the provider was asked about. It recognizes no opaque token. */
  readonly introspected: string[] = [];
  /** The stalled paths, each with the promise that it waits for. */
  private readonly stalls = new Map<Promise<void>, string>();
  private readonly granted = new Map<string, Granted>();
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  private readonly server = createServer((request, response) => {
    // A service that was stopped has not sent the whole request.
    this.answer(request, response).catch(() => response.destroy());
  });

  private constructor(name: string) {
    this.name = name;
  }

  /** Starts a provider on this machine. */
  static async start(name: string): Promise<IdentityProvider> {
    const provider = new IdentityProvider(name);
    provider.server.listen(0, '127.0.0.1');
    await once(provider.server, 'listening');
    const address = provider.server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    provider.issuer = `http://127.0.0.1:${port}`;
    return provider;
  }

  /**
   * Returns the provider's response when a user agrees at an authorization URL.
   *
   * @param claims the ID token claims that replace the usual claims
   */
  consent(url: string, subject: string, claims: object = {}): ProviderResponse {
    const query = new URL(url).searchParams;
    const member = (name: string) => query.get(name) ?? '';
    const code = randomUUID();
    this.granted.set(code, {
      subject,
      clientId: member('client_id'),
      nonce: member('nonce'),
      challenge: member('code_challenge'),
      claims,
    });
    return { code, state: member('state'), iss: this.issuer };
  }

  /** Does not respond at a path until the returned function is called. */
  stall(path: string): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.stalls.set(promise, path);
    return () => {
      this.stalls.delete(promise);
      resolve();
    };
  }

  /** Makes a user's access token for the audience `attack-api`, with a sign-in time of just now. */
  accessToken(subject: string, claims: { readonly iat?: number; readonly cnf?: object } = {}): string {
    const { iat = Math.floor(Date.now() / 1000) } = claims;
    const usual = { iss: this.issuer, sub: subject, aud: 'attack-api', iat, auth_time: iat };
    return this.signed({ ...usual, exp: iat + lifetimeSeconds, jti: randomUUID(), ...claims }, 'at+jwt');
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = new URLSearchParams(Buffer.concat(chunks).toString());
    await Promise.all([...this.stalls].flatMap(([end, path]) => (path === request.url ? [end] : [])));
    const document = this.documentAt(request.url ?? '/', body);
    response
      .writeHead(document === undefined ? 400 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(document ?? { error: 'invalid_grant' }));
  }

  private documentAt(path: string, body: URLSearchParams): object | undefined {
    switch (path) {
      case '/.well-known/openid-configuration':
        return this.metadata();
      case '/keys':
        return {
          keys: [{ ...this.keys.publicKey.export({ format: 'jwk' }), kid: 'a', alg: 'ES256', use: 'sig' }],
        };
      case '/introspect':
        this.introspected.push(body.get('token') ?? '');
        return { active: false };
      default:
        return this.exchange(body);
    }
  }

  private metadata(): object {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      introspection_endpoint: `${issuer}/introspect`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    };
  }

  private exchange(body: URLSearchParams): object | undefined {
    const code = body.get('code') ?? '';
    this.codes.push(code);
    const granted = this.granted.get(code);
    if (granted === undefined) return undefined;
    const { subject: sub, clientId: aud, nonce, challenge } = granted;
    const proof = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url');
    if (proof !== challenge) this.unproven.push(code);
    const iat = Math.floor(Date.now() / 1000);
    const usual = { iss: this.issuer, sub, aud, nonce, iat, auth_time: iat, exp: iat + lifetimeSeconds };
    const claims = { ...usual, ...granted.claims };
    return { access_token: randomUUID(), token_type: 'bearer', id_token: this.signed(claims) };
  }

  private signed(claims: object, typ = 'JWT'): string {
    const input = [{ alg: 'ES256', kid: 'a', typ }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const key = { key: this.keys.privateKey, dsaEncoding: 'ieee-p1363' } as const;
    return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`;
  }
}
