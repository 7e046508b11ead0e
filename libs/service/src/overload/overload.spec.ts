import { once } from 'node:events';
import { Public } from '@app/auth';
import { Returns } from '@app/contract';
import { Controller, Get, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { makeLog } from '../logs/open-logs';
import { readSettings } from '../settings/read-settings';
import { serviceSettings } from '../program/service-settings';
import { createProgram } from '../program/create-program.bootstrap';

/** Lets the waiting request finish. */
let finish: () => void = () => undefined;

@Controller()
@Public()
class WaitingController {
  @Get('waiting')
  @Returns('text')
  waiting(): Promise<string> {
    return new Promise((resolve) => (finish = () => resolve('at last')));
  }

  @Get('quick')
  @Returns('text')
  quick(): string {
    return 'quick';
  }
}

@Module({ controllers: [WaitingController] })
class Waiting {}

describe('an overloaded program', () => {
  const lines: Record<string, unknown>[] = [];
  let app: NestFastifyApplication;
  let url: string;
  beforeAll(async () => {
    const settings = readSettings(serviceSettings, {
      MAX_IN_FLIGHT: '1',
      MAX_DELAY: 'off',
      PATH_PREFIX: '/shop',
    });
    const log = makeLog('api', 'warn', { write: (line) => lines.push(JSON.parse(line)) });
    const logs = { log, flush: () => Promise.resolve() };
    app = await createProgram({ name: 'api', module: Waiting, settings, logs });
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });
  afterAll(() => app.close());

  it('rejects the surplus with 503 and Retry-After, and answers the rest and its health routes', async () => {
    const arrived = once(app.getHttpServer(), 'request');
    const first = fetch(`${url}/waiting`);
    await arrived;
    const [rejected, rejectedToo, health] = await Promise.all(
      ['/quick', '/nowhere', '/health/live'].map((path) => fetch(url + path)),
    );
    const problem = await fetch(`${url}/quick`, { headers: { accept: 'application/problem+json' } });
    expect(await problem.json()).toMatchObject({
      type: '/shop/problems/overloaded',
      status: 503,
      instance: `urn:uuid:${problem.headers.get('x-request-id')}`,
    });
    expect(rejected?.status).toBe(503);
    expect(Object.fromEntries(rejected?.headers ?? [])).toMatchObject({
      'retry-after': '5',
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': expect.any(String),
    });
    expect(await rejected?.json()).toEqual({
      statusCode: 503,
      message: 'the service is overloaded; try again later',
      error: 'Service Unavailable',
    });
    expect([rejectedToo?.status, health?.status]).toEqual([503, 200]);
    finish();
    expect(await (await first).text()).toBe('at last');
    expect((await fetch(`${url}/quick`)).status).toBe(200);
  });

  it('logs one line, not one per request', () => {
    expect(lines.filter(({ msg }) => msg === 'overloaded')).toMatchObject([{ rejected: 1 }]);
  });
});
