import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fetchBounded, fetchText } from './fetch-text';

describe('a document of another service', () => {
  let server: Server;
  let url: string;
  let respond: RequestListener;
  beforeAll(async () => {
    server = createServer((request, response) => respond(request, response));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const readers = {
    fetchText: async () => fetchText(url, { headers: {}, timeoutMs: 1000 }),
    fetchBounded: async () => (await fetchBounded(url, { signal: AbortSignal.timeout(1000) })).text(),
  };

  describe.each(Object.entries(readers))('by %s', (_, read) => {
    it('is read', async () => {
      respond = (_request, response) => void response.end('a document');
      expect(await read()).toBe('a document');
    });

    it('has 256 KiB at most', async () => {
      respond = (_request, response) => void response.end('a'.repeat(256 * 1024));
      expect(await read()).toHaveLength(256 * 1024);
      respond = (_request, response) => void response.end('a'.repeat(256 * 1024 + 1));
      await expect(read()).rejects.toThrow('more than 262144 bytes');
    });

    it('is not looked for elsewhere', async () => {
      respond = ({ url: path }, response) =>
        path === '/' ? response.writeHead(302, { location: '/other' }).end() : response.end('a document');
      await expect(read()).rejects.toThrow('redirect');
    });

    it.each([429, 500, 503])('is not that of a %i', async (status) => {
      respond = (_request, response) => void response.writeHead(status).end('a document');
      await expect(read()).rejects.toThrow(`status ${status}`);
    });

    it('is not waited for longer than permitted', async () => {
      respond = () => {};
      await expect(read()).rejects.toThrow('timeout');
    });
  });

  it('is missing for a 404 of a GET, and an error of a service is its response', async () => {
    respond = (_request, response) => void response.writeHead(404).end();
    expect(await readers.fetchText()).toBeUndefined();
    respond = (_request, response) => void response.writeHead(400).end('{"error":"invalid_grant"}');
    const response = await fetchBounded(url, {});
    expect([response.status, await response.text()]).toEqual([400, '{"error":"invalid_grant"}']);
  });
});
