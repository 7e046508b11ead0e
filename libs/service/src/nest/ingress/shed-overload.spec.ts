import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Public } from '@app/auth';
import { Answers } from '@app/serialization';
import { Controller, Get, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { makeLog } from '../../logs/open-logs';
import { readSettings } from '../../settings/read-settings';
import { serviceSettings } from '../../settings/service-settings';
import { speak } from '../../../testing/raw-http';
import { OverloadDetector } from '../../ingress/overload';
import { createProgram } from '../create-program';
import { shedOverload } from './shed-overload';

/** Lets go of the requests that wait. */
let letGo: () => void = () => undefined;

@Controller()
@Public()
class WaitingController {
  @Get('waiting')
  @Answers('text')
  waiting(): Promise<string> {
    return new Promise((resolve) => (letGo = () => resolve('at last')));
  }

  @Get('quick')
  @Answers('text')
  quick(): string {
    return 'quick';
  }
}

@Module({ controllers: [WaitingController] })
class Waiting {}

describe('a program with more requests than it can answer', () => {
  const lines: Record<string, unknown>[] = [];
  let app: NestFastifyApplication;
  let url: string;
  beforeAll(async () => {
    const settings = readSettings(serviceSettings, { MAX_IN_FLIGHT: '1', MAX_DELAY: 'off' });
    const log = makeLog('api', 'warn', { write: (line) => lines.push(JSON.parse(line)) });
    const logs = { log, flush: () => Promise.resolve() };
    app = await createProgram({ name: 'api', module: Waiting, settings, logs });
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });
  afterAll(() => app.close());

  it('refuses what is too much with 503 and Retry-After, and answers the rest and its health', async () => {
    const arrived = once(app.getHttpServer(), 'request');
    const first = fetch(`${url}/waiting`);
    await arrived;
    const [refused, refusedToo, health] = await Promise.all(
      ['/quick', '/nowhere', '/health/live'].map((path) => fetch(url + path)),
    );
    expect(refused?.status).toBe(503);
    expect(Object.fromEntries(refused?.headers ?? [])).toMatchObject({
      'retry-after': '5',
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': expect.any(String),
    });
    expect(await refused?.json()).toEqual({
      statusCode: 503,
      message: 'the service is overloaded; try again later',
      error: 'Service Unavailable',
    });
    expect([refusedToo?.status, health?.status]).toEqual([503, 200]);
    letGo();
    expect(await (await first).text()).toBe('at last');
    expect((await fetch(`${url}/quick`)).status).toBe(200);
  });

  it('tells its log so once, and not with every request', () => {
    const told = lines.filter(({ msg }) => String(msg).includes('some are refused'));
    expect(told).toHaveLength(1);
  });
});

describe('a refusal', () => {
  it('keeps the connection, whatever was sent on it, and leaves health alone', async () => {
    const server = createServer((_request, response) => response.end('answered'));
    const told: object[] = [];
    const log = {
      debug: () => undefined,
      error: () => undefined,
      warn: (fields: object) => told.push(fields),
    };
    shedOverload(server, new OverloadDetector({ maxDelayMs: false, maxInFlight: 0 }, () => 0), log);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const post = 'POST /orders HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\n\r\n{"a":1}';
    const head = 'HEAD / HTTP/1.1\r\nHost: x\r\n\r\n';
    const last = 'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const replies = await speak(port, post, post, last);
    expect(replies.map(({ status }) => status)).toEqual([503, 503, 200]);
    expect(replies[2]?.body).toBe('answered');
    const [refused] = await speak(port, head.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    expect([refused?.status, refused?.body]).toEqual([503, '']);
    expect(told).toEqual([{ refused: 1 }]);
    server.close();
  });
});
