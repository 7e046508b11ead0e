import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { FakeIssuer, IdentityProvider } from '@app/accounts/testing';
import { TrustedIssuerUnavailableError } from './errors';
import { readIntrospection, type IntrospectionRules } from './introspection-rules';
import { IssuerIntrospection } from './issuer-introspection';
import { type IssuerRules, readTrustedIssuers } from './issuer-rules';
import { TrustedTokens } from './trusted-tokens';

const [here, elsewhere] = ['192.0.2.1', '198.51.100.1'];
const seconds = (offset: number) => Math.floor(Date.now() / 1000) + offset;

function introspectionOf(
  issuer: string,
  options = '',
  { client = 'shop-api', secret = 'a-secret', timeoutMs = 30_000 } = {},
) {
  const [rules] = readTrustedIssuers(`${issuer} audience=shop-api ${options}`) as IssuerRules[];
  const introspectionRules = readIntrospection(
    `${issuer} client=${client} secret=${secret} cache=1m`,
  ) as IntrospectionRules;
  const clock = { now: 0 };
  const failures: string[] = [];
  const report = (failure: string) => void failures.push(failure);
  const introspection = new IssuerIntrospection(rules, introspectionRules, {
    report,
    now: () => clock.now,
    timeoutMs,
  });
  const trusted = new TrustedTokens([], ({ subject }) => subject, introspection);
  return { introspection, trusted, clock, failures };
}

describe('the introspection of opaque tokens', () => {
  let issuer: FakeIssuer;
  /** The requests to the endpoint. */
  const sent: { readonly authorization?: string; readonly body: string }[] = [];
  let respond: (response: ServerResponse) => void;
  // Of its own for each test: the connections of others may be idle, and be closed with the next request.
  beforeEach(async () => {
    issuer = await FakeIssuer.start();
    issuer.metadata = { introspection_endpoint: `${issuer.url}/introspect` };
    sent.length = 0;
    answer({});
    issuer.respond = (request, response) => void serve(request, response);
  });
  afterEach(() => issuer.stop());

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url !== '/realms/shop/introspect') {
      response.end(JSON.stringify({ issuer: issuer.url, ...issuer.metadata }));
      return;
    }
    sent.push({ authorization: request.headers.authorization, body: await text(request) });
    respond(response);
  }

  const active = (claims: object) => ({
    active: true,
    sub: 'ada',
    aud: 'shop-api',
    token_type: 'Bearer',
    iat: seconds(-10),
    exp: seconds(300),
    ...claims,
  });
  function answer(claims: object): void {
    respond = (response) => response.end(JSON.stringify(active(claims)));
  }
  const statusOf = (status: number) => {
    respond = (response) => response.writeHead(status).end('{}');
  };

  it('sends the token once, with the credentials of the client, however many requests have it', async () => {
    const { trusted, clock } = introspectionOf(issuer.url);
    const results = await Promise.all(Array.from({ length: 20 }, async () => trusted.verify('opaque', here)));
    expect(results.map((result) => result?.value)).toEqual(Array.from({ length: 20 }, () => 'ada'));
    const basic = `Basic ${Buffer.from('shop-api:a-secret').toString('base64')}`;
    expect(sent).toEqual([{ authorization: basic, body: 'token=opaque&token_type_hint=access_token' }]);
    expect(trusted.remembered('opaque')?.claims).toMatchObject({ issuer: issuer.url, subject: 'ada' });
    clock.now = 59_999;
    expect(trusted.remembered('opaque')).toBeDefined();
    clock.now = 60_000;
    expect(trusted.remembered('opaque')).toBeUndefined();
    await trusted.verify('opaque', here);
    expect(sent).toHaveLength(2);
  });

  it('uses a response no longer than the token lives', async () => {
    const { trusted, clock } = introspectionOf(issuer.url);
    answer({ exp: seconds(5) });
    await trusted.verify('opaque', here);
    clock.now = 3000;
    expect(trusted.remembered('opaque')).toBeDefined();
    clock.now = 5001;
    expect(trusted.remembered('opaque')).toBeUndefined();
  });

  it.each([
    ['that is not active', { active: false }],
    ['of another issuer', { iss: 'https://evil.example.com' }],
    ['of another audience', { aud: ['billing'] }],
    ['without an audience', { aud: undefined }],
    ['that is a refresh token', { token_type: undefined }],
    ['of another type', { token_type: 'DPoP' }],
    ['that is bound to a key of its client', { cnf: { jkt: 'x' } }],
    ['without a subject', { sub: undefined }],
    ['without a time of issue', { iat: undefined }],
    ['without an expiry', { exp: undefined }],
    ['that has expired', { exp: seconds(-11) }],
    ['that lives too long', { exp: seconds(3700) }],
    ['that is not valid yet', { nbf: seconds(60) }],
  ])('rejects a token %s, and asks again after ten seconds', async (_, claims) => {
    const { trusted, clock, failures } = introspectionOf(issuer.url);
    answer(claims);
    expect(await trusted.verify('opaque', here)).toBeUndefined();
    clock.now = 9999;
    expect(await trusted.verify('opaque', here)).toBeUndefined();
    expect([sent.length, failures]).toEqual([1, []]);
    clock.now = 10_000;
    answer({});
    expect((await trusted.verify('opaque', here))?.value).toBe('ada');
  });

  it('accepts a response without a type where the issuer has type=any, and its scopes', async () => {
    const { trusted } = introspectionOf(issuer.url, 'type=any scopes=scope scope-map=orders:read');
    answer({ token_type: undefined, scope: 'openid orders', aud: ['billing', 'shop-api'], iss: issuer.url });
    expect((await trusted.verify('opaque', here))?.claims.scopes).toEqual(['read']);
  });

  it.each<[string, () => void]>([
    ['no JSON', () => (respond = (response) => response.end('opaque is active'))],
    ['a list', () => (respond = (response) => response.end('[]'))],
    ['no answer to the question', () => (respond = (response) => response.end('{"sub":"ada"}'))],
    ['a text in place of true', () => answer({ active: 'true' })],
    ['a client that is unknown', () => statusOf(401)],
    ['a client that may not ask', () => statusOf(403)],
    ['a redirect', () => (respond = (response) => response.writeHead(302, { location: '/' }).end())],
    ['an error', () => statusOf(500)],
    ['too many requests', () => statusOf(429)],
    ['more than it reads', () => (respond = (response) => response.end(' '.repeat(300_000)))],
    ['no metadata', () => (issuer.respond = (_request, response) => response.writeHead(404).end())],
    [
      'an endpoint elsewhere without HTTPS',
      () => {
        issuer.respond = (_request, response) =>
          response.end(JSON.stringify({ issuer: issuer.url, introspection_endpoint: 'http://192.0.2.1/' }));
      },
    ],
  ])('is a 503 for a second, and no message has the token: %s', async (_, fail) => {
    const { trusted, clock, failures } = introspectionOf(issuer.url);
    await trusted.verify('known', here);
    fail();
    await expect(trusted.verify('opaque', here)).rejects.toThrow(TrustedIssuerUnavailableError);
    expect([failures.length, failures.join().includes('opaque')]).toEqual([1, false]);
    issuer.respond = (request, response) => void serve(request, response);
    answer({});
    await expect(trusted.verify('another', here)).rejects.toThrow(TrustedIssuerUnavailableError);
    expect(trusted.remembered('known')?.value).toBe('ada');
    clock.now = 1000;
    expect((await trusted.verify('opaque', here))?.value).toBe('ada');
  });

  it('is a 503 without a response in time', async () => {
    const { trusted } = introspectionOf(issuer.url, '', { timeoutMs: 50 });
    respond = () => {};
    await expect(trusted.verify('opaque', here)).rejects.toThrow(TrustedIssuerUnavailableError);
  });

  it('asks about sixteen tokens at once, and sends no long one', async () => {
    const { trusted } = introspectionOf(issuer.url);
    const waiting: ServerResponse[] = [];
    respond = (response) => void waiting.push(response);
    const asked = Array.from({ length: 16 }, async (_, at) =>
      trusted.verify(`opaque-${at}`, `192.0.2.${at}`),
    );
    await expect(trusted.verify('opaque', elsewhere)).rejects.toThrow(TrustedIssuerUnavailableError);
    await vi.waitFor(() => expect(waiting).toHaveLength(16), { timeout: 20_000 });
    for (const response of waiting) response.end(JSON.stringify(active({})));
    const results = await Promise.all(asked);
    expect(results.map((result) => result?.value)).toEqual(Array.from({ length: 16 }, () => 'ada'));
    expect(await trusted.verify('a'.repeat(2049), here)).toBeUndefined();
    expect(sent).toHaveLength(16);
  });

  it('has a place for the next address while others flood it', async () => {
    const { trusted } = introspectionOf(issuer.url);
    const waiting: ServerResponse[] = [];
    respond = (response) => void waiting.push(response);
    const asked: Promise<unknown>[] = [];
    const flood = async (addresses: number, sentSoFar: number) => {
      for (let at = 0; at < 16 * addresses; at += 1) {
        const token = `random-${asked.length}`;
        // Of a network of its own.
        const ip = `2001:db8:0:${at % addresses}::${at}`;
        asked.push(Promise.allSettled([trusted.verify(token, ip)]));
      }
      await vi.waitFor(() => expect(waiting).toHaveLength(sentSoFar), { timeout: 20_000 });
    };
    await flood(1, 8);
    await flood(2, 12);
    await flood(3, 14);
    await flood(4, 15);
    await flood(5, 16);
    await expect(trusted.verify('opaque', elsewhere)).rejects.toThrow(TrustedIssuerUnavailableError);
    for (const response of waiting.slice(0, 8)) response.end('{"active":false}');
    await Promise.all(asked.slice(0, 8));
    await flood(5, 22);
    answer({});
    expect((await trusted.verify('opaque', elsewhere))?.value).toBe('ada');
    for (const response of waiting.slice(8)) response.end('{"active":false}');
    await Promise.all(asked);
  });

  it('has places for others while one address floods it, and for that one again afterwards', async () => {
    const { trusted } = introspectionOf(issuer.url);
    const waiting: ServerResponse[] = [];
    respond = (response) => void waiting.push(response);
    const flood = Array.from({ length: 100 }, async (_, at) => trusted.verify(`random-${at}`, here));
    const refused = Promise.allSettled(flood);
    await vi.waitFor(() => expect(waiting).toHaveLength(8), { timeout: 20_000 });
    answer({});
    expect((await trusted.verify('opaque', elsewhere))?.value).toBe('ada');
    for (const response of waiting) response.end('{"active":false}');
    expect((await refused).filter(({ status }) => status === 'rejected')).toHaveLength(92);
    expect((await trusted.verify('another', here))?.value).toBe('ada');
  });

  it('is of opaque tokens alone: a JWT is verified by the keys of its issuer', async () => {
    const { trusted } = introspectionOf(issuer.url);
    expect(
      await trusted.verify(await issuer.sign({ iss: 'https://evil.example.com' }), here),
    ).toBeUndefined();
    expect(sent).toEqual([]);
  });
});

describe('the introspection at a provider of OpenID Connect', () => {
  let provider: IdentityProvider;
  beforeAll(async () => {
    provider = await IdentityProvider.start('acme');
  });
  afterAll(() => provider.stop());

  it('accepts its access token until it is revoked, and no refresh token', async () => {
    const { trusted, clock } = introspectionOf(provider.issuer, 'lifetime=1d', provider.introspector);
    const { accessToken, refreshToken } = await provider.tokensOf('ada');
    expect((await trusted.verify(accessToken, here))?.value).toBe('ada');
    expect(await trusted.verify(refreshToken, here)).toBeUndefined();
    expect(await trusted.verify('a token of nobody', here)).toBeUndefined();
    await provider.revoke(accessToken);
    expect(trusted.remembered(accessToken)?.value).toBe('ada');
    clock.now = 60_000;
    expect(trusted.remembered(accessToken)).toBeUndefined();
    expect(await trusted.verify(accessToken, here)).toBeUndefined();
  });

  it('is a 503 with a wrong secret', async () => {
    const client = { ...provider.introspector, secret: 'another' };
    const { trusted, failures } = introspectionOf(provider.issuer, '', client);
    await expect(trusted.verify('opaque', here)).rejects.toThrow(TrustedIssuerUnavailableError);
    expect(failures).toEqual([expect.stringContaining('status 401')]);
  });
});

describe('the setting of an introspection', () => {
  it.each([
    ['http://id.example.com client=a secret=b', 'must begin with the URL'],
    ['https://id.example.com', 'must have a client'],
    ['https://id.example.com client=a', 'must have a client'],
    ['https://id.example.com client=a secret=hunter2 secret=hunter2', 'each once'],
    ['https://id.example.com client=a secret=', 'each once'],
    ['https://id.example.com client=a hunter2', 'each once'],
    ['https://id.example.com client=a secret=hunter2 cache=2h', 'must have a cache'],
    ['https://id.example.com client=a secret=hunter2 cache=60', 'must have a cache'],
  ])('is refused, without its secret: %s', (response, problem) => {
    expect(readIntrospection(response)).toContain(problem);
    expect(readIntrospection(response)).not.toContain('hunter2');
  });

  it('has a secret with any characters but spaces', () => {
    expect(readIntrospection('https://id.example.com client=a secret=b=c==')).toEqual({
      issuer: 'https://id.example.com',
      client: 'a',
      secret: 'b=c==',
      cacheSeconds: 60,
    });
  });
});
