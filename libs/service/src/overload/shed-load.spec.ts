import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendRaw } from '../../testing/raw-http';
import { OverloadDetector } from './overload-detector';
import { specifiedForm } from '../responses/render';
import { shedLoad } from './shed-load';

describe('shedding load', () => {
  it('keeps the connection alive, whatever was sent on it, and lets health routes through', async () => {
    const lines: object[] = [];
    const log = {
      debug: () => undefined,
      error: () => undefined,
      warn: (fields: object) => lines.push(fields),
    };
    const detector = new OverloadDetector({ maxDelayMs: false, maxInFlight: 0 }, () => 0);
    const shed = shedLoad(detector, log, { headersFor: () => [], pathPrefix: '', form: specifiedForm });
    const server = createServer((request, response) => {
      if (!shed(request, response)) response.end('answered');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const post = 'POST /orders HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\n\r\n{"a":1}';
    const head = 'HEAD / HTTP/1.1\r\nHost: x\r\n\r\n';
    const last = 'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const replies = await sendRaw(port, post, post, last);
    expect(replies.map(({ status }) => status)).toEqual([503, 503, 200]);
    expect(replies[2]?.body).toBe('answered');
    const others = ['/healthcare', '/health/', '/health/live/x', '/health?a=1'];
    const statuses = others.map(async (path) => {
      const [reply] = await sendRaw(port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      return reply?.status;
    });
    expect(await Promise.all(statuses)).toEqual([503, 503, 503, 200]);
    const [rejected] = await sendRaw(port, head.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    expect([rejected?.status, rejected?.body]).toEqual([503, '']);
    expect(lines).toEqual([{ rejected: 1 }]);
    server.close();
  });
});
