import { once } from 'node:events';
import { Public } from '@app/auth';
import { Returns } from '@app/contract';
import { Controller, Get, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { makeLog } from '../logs/open-logs';
import { readSettings } from '../settings/read-settings';
import { serviceSettings } from '../program/service-settings';
import { createProgram } from '../program/create-program.bootstrap';

let finish: () => void = () => undefined;

@Controller()
@Public()
class WaitingController {
  @Get('quick')
  @Returns('text')
  quick(): string {
    return 'quick';
  }

  @Get('waiting')
  @Returns('text')
  waiting(): Promise<string> {
    return new Promise((resolve) => (finish = () => resolve('at last')));
  }
}

@Module({ controllers: [WaitingController] })
class Waiting {}

const page = 'https://app.example.com';
const preflight = (origin: string) => ({
  method: 'OPTIONS',
  headers: {
    origin,
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'authorization,content-type',
  },
});

/** The header fields of CORS. */
function corsHeaders({ headers }: Response): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => /^access-control-|^vary$/.test(name)));
}

describe('CORS', () => {
  const lines: Record<string, unknown>[] = [];
  const apps: NestFastifyApplication[] = [];
  afterEach(async () => {
    await Promise.all(apps.splice(0).map((app) => app.close()));
    lines.length = 0;
  });

  async function start(env: Record<string, string>): Promise<string> {
    const settings = readSettings(serviceSettings, { MAX_DELAY: 'off', ...env });
    const log = makeLog('api', 'warn', { write: (line) => lines.push(JSON.parse(line)) });
    const logs = { log, flush: () => Promise.resolve() };
    const app = await createProgram({ name: 'api', module: Waiting, settings, logs });
    apps.push(app);
    await app.listen(0, '127.0.0.1');
    return app.getUrl();
  }

  it('is off by default: no header is added, and a preflight is 404 and logged once for each origin', async () => {
    const url = await start({});
    const read = await fetch(`${url}/quick`, { headers: { origin: page } });
    expect([read.status, corsHeaders(read)]).toEqual([200, {}]);
    for (const origin of [page, page, 'https://other.example']) {
      const refused = await fetch(`${url}/quick`, preflight(origin));
      expect([refused.status, corsHeaders(refused)]).toEqual([404, { vary: 'Accept' }]);
      expect(await refused.json()).toMatchObject({ message: 'Cannot OPTIONS /quick' });
    }
    const refusals = lines.filter(({ msg }) => String(msg).startsWith('CORS preflight rejected'));
    expect(refusals.map(({ origin, level }) => [origin, level])).toEqual([
      [page, 'warn'],
      ['https://other.example', 'warn'],
    ]);
  });

  it('answers the preflight of an allowed origin, which browsers keep for two hours', async () => {
    const url = await start({ CORS_ORIGINS: `https://other.example,${page}` });
    const reply = await fetch(`${url}/quick`, preflight(page));
    expect([reply.status, await reply.text()]).toEqual([204, '']);
    expect(corsHeaders(reply)).toEqual({
      'access-control-allow-origin': page,
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-expose-headers': expect.stringContaining('Retry-After'),
      'access-control-max-age': '7200',
      vary: 'Origin, Access-Control-Request-Headers',
    });
    expect(lines).toEqual([]);
  });

  it('lets a page of an allowed origin read responses, errors included', async () => {
    const url = await start({ CORS_ORIGINS: page });
    for (const path of ['/quick', '/nowhere', '/health/live']) {
      const reply = await fetch(url + path, { headers: { origin: page } });
      expect(corsHeaders(reply)).toEqual({
        'access-control-allow-origin': page,
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': expect.stringContaining('Location'),
        vary: path === '/nowhere' ? 'Origin, Accept' : 'Origin',
      });
    }
  });

  it.each([
    'https://app.example.com.evil.example',
    'http://app.example.com',
    'null',
    'https://APP.example.com',
  ])('allows exact origins only, and not %s', async (origin) => {
    const url = await start({ CORS_ORIGINS: page });
    const [asked, read] = [
      await fetch(`${url}/quick`, preflight(origin)),
      await fetch(`${url}/quick`, { headers: { origin } }),
    ];
    expect([asked.status, corsHeaders(asked)]).toEqual([404, { vary: 'Origin, Accept' }]);
    expect([read.status, corsHeaders(read)]).toEqual([200, { vary: 'Origin' }]);
    expect(lines).toMatchObject([{ origin }]);
  });

  it('allows any origin without credentials with *', async () => {
    const url = await start({ CORS_ORIGINS: '*' });
    const reply = await fetch(`${url}/quick`, preflight('null'));
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
    expect(reply.headers.has('access-control-allow-credentials')).toBe(false);
  });

  it('answers an OPTIONS request without an origin as before, and one without a method like a preflight', async () => {
    const url = await start({ CORS_ORIGINS: page });
    expect((await fetch(`${url}/quick`, { method: 'OPTIONS' })).status).toBe(404);
    const reply = await fetch(`${url}/quick`, { method: 'OPTIONS', headers: { origin: page } });
    expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([204, page]);
  });

  it.each([
    [page, { 'access-control-allow-origin': page, 'access-control-allow-credentials': 'true' }],
    ['*', { 'access-control-allow-origin': '*' }],
    ['https://other.example', {}],
  ])('of %s adds its headers to the 503 of an overloaded program', async (origins, headers) => {
    const url = await start({ CORS_ORIGINS: origins, MAX_IN_FLIGHT: '1' });
    const arrived = once(apps[0]?.getHttpServer(), 'request');
    const first = fetch(`${url}/waiting`);
    await arrived;
    const rejected = await fetch(`${url}/quick`, { headers: { origin: page } });
    finish();
    await first;
    const { vary, 'access-control-expose-headers': exposed, ...others } = corsHeaders(rejected);
    expect([rejected.status, others]).toEqual([503, headers]);
    const isAllowed = Object.keys(headers).length > 0;
    expect([vary, exposed?.includes('Retry-After')]).toEqual(
      isAllowed ? ['Accept, Origin', true] : ['Accept', undefined],
    );
  });
});
