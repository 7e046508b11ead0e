import { FakeIssuer } from '@app/accounts/testing';
import { IssuerKeys } from './issuer-keys';

describe('the keys of an issuer', () => {
  let issuer: FakeIssuer;
  let now = 0;
  const failures: string[] = [];
  beforeEach(async () => {
    issuer = await FakeIssuer.start();
    failures.length = now = 0;
  });
  afterEach(() => issuer.stop());

  function makeKeys(timeoutMs?: number): IssuerKeys {
    const report = (event: object) => {
      if ('failure' in event) failures.push(String(event.failure));
    };
    return new IssuerKeys(issuer.url, report, () => now, timeoutMs);
  }

  it('are read once, by discovery, however many ask at once', async () => {
    const keys = makeKeys();
    const keySets = await Promise.all(Array.from({ length: 20 }, () => keys.current()));
    expect(new Set(keySets).size).toBe(1);
    expect(issuer.requests).toEqual(['/realms/shop/.well-known/openid-configuration', '/realms/shop/keys']);
  });

  it('are found by the metadata of an authorization server that is no OpenID provider', async () => {
    issuer.respond = ({ url }, response) => {
      const documents: Record<string, object> = {
        '/.well-known/oauth-authorization-server/realms/shop': {
          issuer: issuer.url,
          jwks_uri: `${issuer.url}/keys`,
        },
        '/realms/shop/keys': { keys: [issuer.key.publicJwk] },
      };
      const document = documents[url ?? ''];
      response.writeHead(document ? 200 : 404).end(JSON.stringify(document ?? {}));
    };
    expect(await makeKeys().current()).toBeDefined();
  });

  it('are refreshed for unknown ids once a minute at most, also if that failed', async () => {
    const keys = makeKeys();
    await keys.current();
    await issuer.stop();
    now = 60_000;
    const before = await keys.newer();
    for (let at = 0; at < 100; at++) await keys.newer();
    expect([failures.length, keys.waitMs]).toEqual([1, 60_000]);
    await issuer.resume();
    await issuer.rotate();
    now = 119_999;
    expect(await keys.newer()).toBe(before);
    now = 120_000;
    expect(await keys.newer()).not.toBe(before);
    expect([failures.length, keys.version]).toEqual([1, 2]);
  });

  it('are kept while the issuer is down, and read when it is back', async () => {
    const keys = makeKeys();
    const first = await keys.current();
    await issuer.stop();
    now = 86_400_000;
    expect(await keys.newer()).toBe(first);
    expect(keys.version).toBe(1);
    await issuer.resume();
  });

  it('of an issuer that is down at the start are read a minute later', async () => {
    await issuer.stop();
    const keys = makeKeys();
    expect(await keys.current()).toBeUndefined();
    await issuer.resume();
    now = 59_999;
    expect(await keys.current()).toBeUndefined();
    now = 60_000;
    expect(await keys.current()).toBeDefined();
  });

  it('are not used any more soon after the issuer withdrew them', async () => {
    const keys = makeKeys();
    const first = await keys.current();
    await issuer.rotate('ES256', { keep: false });
    now = 300_001;
    keys.touch();
    await vi.waitFor(() => expect(keys.version).toBe(2));
    expect(await keys.current()).not.toBe(first);
  });

  const faults: [string, Parameters<typeof Object.assign>[0], RegExp][] = [
    [
      'metadata of another issuer',
      { metadata: { issuer: 'https://evil.example.com' } },
      /names another issuer/,
    ],
    [
      'keys by plain HTTP elsewhere',
      { metadata: { jwks_uri: 'http://192.0.2.1/keys' } },
      /no jwks_uri by HTTPS/,
    ],
    ['keys in a file', { metadata: { jwks_uri: 'file:///etc/passwd' } }, /no jwks_uri by HTTPS/],
    ['no JSON', { respond: (_: unknown, response: Response) => response.end('<html>') }, /JSON/],
    [
      'another status',
      { respond: (_: unknown, response: Response) => response.writeHead(500).end() },
      /status 500/,
    ],
    [
      'a redirect to an address of the network',
      {
        respond: (_: unknown, response: Response) =>
          response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
      },
      /redirect/,
    ],
    [
      'more than 256 KiB',
      { respond: (_: unknown, response: Response) => response.end(`{"a":"${'a'.repeat(300_000)}"}`) },
      /more than 262144 bytes/,
    ],
    ['nothing for too long', { respond: () => {} }, /timeout/],
  ];
  type Response = import('node:http').ServerResponse;

  it.each(faults)('are not taken from %s', async (_, fault, reason) => {
    Object.assign(issuer, fault);
    expect(await makeKeys(500).current()).toBeUndefined();
    expect(failures).toEqual([expect.stringMatching(reason)]);
  });
});
