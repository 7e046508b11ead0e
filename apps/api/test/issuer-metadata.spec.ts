import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootApi } from '../testing/boot-api';

/** A port that nobody else has before the program listens elsewhere: its public URL is a proxy. */
const env: Record<string, string> = {};
const documents = ['oauth-authorization-server', 'openid-configuration', 'oauth-protected-resource'];

describe('a program with a public URL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-metadata-'));
  let target = '';
  const proxy = createServer(({ url }, response) => {
    void fetchText(`${target}${url}`).then(({ status, headers, text }) =>
      response.writeHead(status, headers).end(text),
    );
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => {
      proxy.listen(0, '127.0.0.1', resolve);
    });
    env.API_URL = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/`;
    Object.assign(env, { JWT_ALGORITHM: 'ES256', JWT_KEY_FILE: join(folder, 'keys.json') });
  });
  afterAll(() => {
    proxy.close();
    rmSync(folder, { recursive: true });
  });
  const api = bootApi({ env });
  const trusting: Record<string, string> = {};
  beforeAll(async () => {
    target = await api.app().getUrl();
    trusting.TRUSTED_ISSUERS = `${issuer()} audience=api type=any algorithms=ES256`;
  });
  const trustingApi = bootApi({ env: trusting });
  const issuer = () => (env.API_URL ?? '').slice(0, -1);

  it('names what there is to verify its tokens, and whose it accepts', async () => {
    const [server, openId, resource] = await Promise.all(
      documents.map((name) => api().get(`/.well-known/${name}`)),
    );
    expect(server?.json).toMatchObject({
      issuer: issuer(),
      jwks_uri: `${issuer()}/.well-known/jwks.json`,
      response_types_supported: [],
    });
    expect(openId?.json).toEqual(server?.json);
    expect(resource?.json).toMatchObject({
      resource: issuer(),
      authorization_servers: [issuer()],
      bearer_methods_supported: ['header'],
      scopes_supported: expect.arrayContaining(['read', 'write', 'items:read']),
    });
    expect(resource?.headers.get('cache-control')).toBe('public, max-age=300');
    const both = await trustingApi().get('/.well-known/oauth-protected-resource');
    expect([both.status, both.json.message]).toEqual([
      404,
      'this program has no metadata: API_URL is not set',
    ]);
  });

  it('is trusted by another program by that URL alone, which gives its users other accounts', async () => {
    const { access_token: token } = (
      await api().post('/auth/login', {
        username: api.administratorEmail,
        password: api.administratorPassword,
      })
    ).json;
    expect((await api().as(token).get('/auth/profile')).status).toBe(200);
    const there = await trustingApi().as(token).get('/auth/profile');
    expect([there.status, there.json.username]).toEqual([200, expect.stringMatching(/\.invalid$/)]);
    expect((await trustingApi().as(token).get('/users')).status).toBe(403);
    expect(
      (
        await trustingApi()
          .as(await trustingApi.tokenOf({}))
          .get('/auth/profile')
      ).status,
    ).toBe(200);
  });
});

describe('a program without a public URL', () => {
  const api = bootApi();

  it('has no metadata: the Host of a request is not taken for its name', async () => {
    for (const name of documents) {
      const { status, text } = await api()
        .with({ 'x-forwarded-host': 'evil.example.com' })
        .get(`/.well-known/${name}`);
      expect([status, text.includes('evil')]).toEqual([404, false]);
    }
  });
});

async function fetchText(url: string) {
  const response = await fetch(url);
  const headers = { 'content-type': response.headers.get('content-type') ?? '' };
  return { status: response.status, headers, text: await response.text() };
}
