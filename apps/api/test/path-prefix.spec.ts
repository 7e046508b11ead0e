import { type Client, newEmail, sendRaw } from '@app/service/testing';
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
