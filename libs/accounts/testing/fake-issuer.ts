import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';

interface IssuerKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

/** An identity provider with discovery, keys and tokens, over HTTP on this machine. */
export class FakeIssuer {
  /** The requested paths. */
  readonly requests: string[] = [];
  /** A handler that replaces the documents. */
  respond: Respond | undefined;
  /** The metadata members that replace the usual members. */
  metadata: Readonly<Record<string, unknown>> = {};
  /** Further documents, by their path. */
  readonly documents: Record<string, object> = {};
  private readonly keys: IssuerKey[] = [];
  private server: Server | undefined;

  private constructor(private port: number) {}

  /** @param alg the algorithm of its key */
  static async start(alg = 'ES256'): Promise<FakeIssuer> {
    const issuer = new FakeIssuer(0);
    await issuer.resume();
    await issuer.rotate(alg);
    return issuer;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/realms/shop`;
  }

  /** The key that signs. */
  get key(): IssuerKey {
    const key = this.keys.at(-1);
    if (key === undefined) throw new Error('the issuer has no key');
    return key;
  }

  /** Starts to serve, on the same port after {@link stop}. */
  async resume(): Promise<void> {
    this.server = createServer((request, response) => this.serve(request, response));
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

  /** Makes a new key that signs from now on. The previous keys stay published, unless `keep` is `false`. */
  async rotate(alg = 'ES256', { keep = true } = {}): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    const kid = `key-${this.keys.length + 1}-${this.port}`;
    if (!keep) this.keys.length = 0;
    this.keys.push({ kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg } });
  }

  /** Signs a token for `shop-api` that lasts five minutes. A claim that is `undefined` is absent. */
  sign(
    claims: JWTPayload = {},
    header: Readonly<Record<string, unknown>> = {},
    by: CryptoKey | Uint8Array = this.key.privateKey,
  ): Promise<string> {
    const iat = Math.floor(Date.now() / 1000);
    const payload = {
      iss: this.url,
      aud: 'shop-api',
      sub: 'ada',
      iat,
      exp: iat + 300,
      jti: crypto.randomUUID(),
      ...claims,
    };
    const protectedHeader = { alg: this.key.alg, typ: 'at+jwt', kid: this.key.kid, ...header };
    return new SignJWT(payload).setProtectedHeader(protectedHeader).sign(by);
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    this.requests.push(request.url ?? '');
    if (this.respond !== undefined) return this.respond(request, response);
    const document = this.documentAt(request.url);
    response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(document ?? {}));
  }

  private documentAt(path: string | undefined): object | undefined {
    if (path === '/realms/shop/.well-known/openid-configuration')
      return { issuer: this.url, jwks_uri: `${this.url}/keys`, ...this.metadata };
    if (path === '/realms/shop/keys') return { keys: this.keys.map(({ publicJwk }) => publicJwk) };
    return this.documents[path ?? ''];
  }
}
