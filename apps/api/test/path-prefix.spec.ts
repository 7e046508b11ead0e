import { type Client, newEmail, sendRaw } from '@app/service/testing';
import { Public } from '@app/auth';
import { createClient } from '@app/client';
import { Returns } from '@app/contract';
import { makeProgram, MetricsController, readSettings, serviceSettings } from '@app/service';
import { Controller, Get, Module, VersioningType } from '@nestjs/common';
import { bootApi } from '../testing/boot-api';

const password = 'correct horse battery staple';

/** The path that a new user gets, without its id. */
async function locationOf(client: Client): Promise<string | undefined> {
  const { headers } = await client.post('/users', { email: newEmail(), password });
  return headers.get('location')?.replace(/\d+$/, '');
}

describe('api behind a proxy that removes /api from paths', () => {
  const api = bootApi({ env: { PATH_PREFIX: '/api' } });

  it('has it in Location, Link and the OpenAPI document', async () => {
    expect(await locationOf(api())).toBe('/api/users/');
    const { headers } = await (await api.administrator()).get('/items?limit=5');
    expect(headers.get('link')).toContain('</api/items?');
    expect((await api().get('/openapi.json')).json.servers).toEqual([{ url: '/api' }]);
  });

  it('has it in the type of a problem, also of a request that fails before its route', async () => {
    const { port } = new URL(api().url);
    const head = 'Host: localhost\r\nAccept: application/problem+json\r\nConnection: close\r\n';
    const requests = [
      `GET /nowhere HTTP/1.1\r\n${head}\r\n`,
      `GET /%zz HTTP/1.1\r\n${head}\r\n`,
      `GET / HTTP/1.1\r\n${head}Expect: more\r\n\r\n`,
      `POST /users HTTP/1.1\r\n${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nno size\r\n`,
    ];
    const types = [];
    for (const request of requests) {
      const [reply] = await sendRaw(Number(port), request);
      types.push(JSON.parse(reply?.body ?? '{}').type);
    }
    expect(types).toEqual([
      '/api/problems/unknown-path',
      '/api/problems/invalid-target',
      '/api/problems/unsupported-expectation',
      '/api/problems/malformed-request',
    ]);
  });

  it('believes no other prefix of a client', async () => {
    const client = api().with({ 'x-forwarded-prefix': '/other', 'x-forwarded-for': '203.0.113.7' });
    expect(await locationOf(client)).toBe('/api/users/');
  });
});

@Controller({ path: 'greetings', version: '1' })
class GreetingsController {
  @Get()
  @Public()
  @Returns('text')
  read(): string {
    return 'hello';
  }
}

@Controller()
class EverythingController {
  @Get('*')
  @Public()
  @Returns('text')
  read(): string {
    return 'everything';
  }
}

describe('api with a prefix of its own', () => {
  const origin = 'https://shop.example';
  const api = bootApi({
    prefix: '/api/shop',
    env: { PATH_PREFIX: '/eu', TRUST_PROXY: 'loopback', CORS_ORIGINS: origin },
    controllers: [GreetingsController, MetricsController, EverythingController],
    configure: (app) => void app.enableVersioning({ type: VersioningType.URI }),
  });
  const from = (path: string, headers: Record<string, string> = {}) =>
    fetch(new URL(path, api().url), { headers });

  it('serves its routes below it, with versions', async () => {
    expect(api().url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/shop$/);
    expect((await (await api.newcomer()).get('/users/me')).status).toBe(200);
    expect((await api().get('/v1/greetings')).text).toBe('hello');
    expect(await (await from('/api/shop')).text()).toMatch(/\(api\)$/);
    expect(await (await from('/api/shop?x=1')).text()).toMatch(/\(api\)$/);
  });

  it.each([
    '/users',
    '/',
    '/greetings',
    '/api',
    '/api/shops',
    '/api/shop2/greetings',
    '/%61pi/shop',
    '/docs',
  ])('has nothing outside of it, whatever its routes match: %s', async (path) => {
    const reply = await from(path);
    expect([reply.status, Object(await reply.json()).message]).toEqual([404, `Cannot GET ${path}`]);
  });

  it('has health and metrics below it, and where load balancers look for them', async () => {
    for (const path of ['/health', '/health/ready', '/health/live?x=1', '/api/shop/health/ready'])
      expect([path, (await from(path)).status]).toEqual([path, 200]);
    const metrics = async (path: string) => (await from(path)).status;
    expect([await metrics('/metrics'), await metrics('/api/shop/metrics')]).toEqual([401, 401]);
    expect((await from('/healthy')).status).toBe(404);
  });

  it('has it in the server of the OpenAPI document, whose paths are without, after what proxies remove', async () => {
    const { servers, paths } = (await api().get('/openapi.json')).json;
    expect(servers).toEqual([{ url: '/eu/api/shop' }]);
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/users', '/v1/greetings', '/health']));
    const behind = api().with({ 'x-forwarded-prefix': '/us', 'x-forwarded-for': '203.0.113.7' });
    expect((await behind.get('/openapi.json')).json.servers).toEqual([{ url: '/us/api/shop' }]);
    expect(await locationOf(behind)).toBe('/us/api/shop/users/');
  });

  it('has it in Location, Link, and the type of a problem', async () => {
    expect(await locationOf(api())).toBe('/eu/api/shop/users/');
    const { headers } = await (await api.administrator()).get('/items?limit=5');
    expect(headers.get('link')).toContain('</eu/api/shop/items?');
    const problems = { accept: 'application/problem+json' };
    for (const path of ['/api/shop/users/me', '/elsewhere'])
      expect(Object(await (await from(path, problems)).json()).type).toMatch(/^\/eu\/api\/shop\/problems\//);
  });

  it('has the reference below it', async () => {
    const page = await from('/api/shop/docs');
    const [file = ''] = /[\w./-]*page\.js/.exec(await page.text()) ?? [];
    expect((await from(new URL(file, page.url).pathname)).status).toBe(200);
  });

  it('allows pages of other origins below it', async () => {
    const headers = { origin, 'access-control-request-method': 'GET' };
    const preflight = await fetch(`${api().url}/users/me`, { method: 'OPTIONS', headers });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
  });

  it('is the base of the typed client', async () => {
    const { administratorEmail: username, administratorPassword } = api;
    const client = createClient({ baseUrl: api().url });
    await client.session.signIn(username, administratorPassword);
    expect((await client.GET('/users/me')).data).toMatchObject({ email: username });
  });
});

describe('a prefix', () => {
  it.each(['api', '/', '/api/', '//evil.example', '/a b'])(
    'ends the start if it is none: %j',
    async (prefix) => {
      const settings = readSettings(serviceSettings, {});
      await expect(makeProgram({ name: 'api', module: Nothing, settings, prefix })).rejects.toThrow(
        "prefix must be like '/api'",
      );
    },
  );

  it('is not set a second time, by Nest', async () => {
    const settings = readSettings(serviceSettings, {});
    const configure = (app: { setGlobalPrefix(prefix: string): unknown }) => void app.setGlobalPrefix('api');
    await expect(makeProgram({ name: 'api', module: Nothing, settings, configure })).rejects.toThrow(
      "Replace setGlobalPrefix() by `prefix: '/…'`",
    );
  });
});

@Module({})
class Nothing {}

describe('api behind a trusted proxy', () => {
  const api = bootApi({ env: { TRUST_PROXY: 'loopback' } });
  const by = (prefix: string) =>
    api().with({ 'x-forwarded-prefix': prefix, 'x-forwarded-for': '203.0.113.7' });

  it('has the prefix that the proxy names', async () => {
    expect(await locationOf(by('/v1/shop'))).toBe('/v1/shop/users/');
    expect(await locationOf(api())).toBe('/users/');
  });

  it('has it in the server of the OpenAPI document', async () => {
    const serversBy = async (client: Client) => (await client.get('/openapi.json')).json.servers;
    expect(await serversBy(by('/v1/shop'))).toEqual([{ url: '/v1/shop' }]);
    expect(await serversBy(api())).toEqual([{ url: '/' }]);
    expect(await serversBy(by('//evil.example'))).toEqual([{ url: '/' }]);
    const prefixes = Array.from({ length: 20 }, (_, at) => `/shop-${at}`);
    for (const url of [...prefixes, ...prefixes]) expect(await serversBy(by(url))).toEqual([{ url }]);
  });

  it.each(['//evil.example', '/a/../b c', 'https://evil.example', '/', 'api'])(
    'has no prefix that is not one: %s',
    async (prefix) => {
      expect(await locationOf(by(prefix))).toBe('/users/');
    },
  );
});
