import { gunzipSync, brotliDecompressSync } from 'node:zlib';
import { get, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { bootApi } from '../testing/boot-api';

const paths = [
  '/docs',
  '/docs/page.css',
  '/docs/page.js',
  '/docs/swagger-ui.css',
  '/docs/swagger-ui-bundle.js',
  '/openapi.json',
];

describe('the files of the API reference', () => {
  const api = bootApi();

  /** Without `fetch`, which decompresses. */
  async function read(path: string, headers: IncomingHttpHeaders = {}) {
    const [response]: IncomingMessage[] = await once(
      get(`${api().url}${path}`, { headers, agent: false }),
      'response',
    );
    return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) };
  }

  it('do not count as files that are underway', async () => {
    const server = api.app().getHttpAdapter().getInstance();
    const asked = Array.from({ length: 40 }, () => server.inject('/docs/swagger-ui-bundle.js'));
    expect(new Set((await Promise.all(asked)).map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  });

  it.each(paths)('are sent compressed, with a strong ETag and Vary: %s', async (path) => {
    const plain = await read(path);
    const [br, gzip] = [
      await read(path, { 'accept-encoding': 'gzip, br' }),
      await read(path, { 'accept-encoding': 'gzip' }),
    ];
    expect([plain, br, gzip].map(({ status }) => status)).toEqual([200, 200, 200]);
    expect([plain, br, gzip].map(({ headers }) => headers['content-encoding'])).toEqual([
      undefined,
      'br',
      'gzip',
    ]);
    expect(
      brotliDecompressSync(br.bytes).equals(plain.bytes) && gunzipSync(gzip.bytes).equals(plain.bytes),
    ).toBe(true);
    expect(new Set([plain, br, gzip].map(({ headers }) => headers.etag)).size).toBe(3);
    for (const { headers, bytes } of [plain, br, gzip]) {
      expect(headers.vary).toBe('Accept-Encoding');
      expect(headers['content-length']).toBe(String(bytes.length));
    }
  });

  it.each([...paths, '/docs/favicon.png'])('are 304 for a client that has them: %s', async (path) => {
    const { headers } = await read(path, { 'accept-encoding': 'br' });
    const conditional = { 'accept-encoding': 'br', 'if-none-match': headers.etag };
    const again = await read(path, conditional);
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    const { etag, vary, 'cache-control': cacheControl } = headers;
    expect(again.headers).toMatchObject({ etag, ...(vary && { vary }), 'cache-control': cacheControl });
    expect(again.headers).not.toHaveProperty('content-type');
    expect(await read(path, { ...conditional, 'if-none-match': '"another"' })).toMatchObject({ status: 200 });
  });
});
