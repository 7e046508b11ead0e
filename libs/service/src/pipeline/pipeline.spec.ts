import { Public } from '@app/auth';
import { IfGiven, Returns } from '@app/contract';
import { Body, Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { IsString } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { tracingChannel } from 'node:diagnostics_channel';
import { type GatheredLog, gatherLog } from '../../testing/gather-log';
import { openConnection } from '../../testing/raw-http';
import { createProgram, type ProgramParts } from '../program/create-program.bootstrap';
import { serviceSettings } from '../program/service-settings';
import { readSettings } from '../settings/read-settings';
import { RouteAdapter } from '../adapter/route.adapter';

class Note {
  @IfGiven() @IsString() text?: string;
}

let release = (): void => undefined;
let waiting = (): void => undefined;

/** The changes that handlers make to a response head. */
const changes: Readonly<Record<string, (reply: FastifyReply, request: FastifyRequest) => void>> = {
  status: (reply) => void reply.code(299),
  fixed: (reply) => void reply.header('cache-control', 'max-age=1'),
  'fixed-removed': (reply) => void reply.removeHeader('referrer-policy'),
  'fixed-moved': (reply) => {
    const policy = String(reply.getHeader('referrer-policy'));
    void reply.removeHeader('referrer-policy').header('referrer-policy', policy);
  },
  id: (reply) => void reply.header('x-request-id', 'a'),
  'id-removed': (reply) => void reply.removeHeader('x-request-id'),
  'id-split': (reply, request) => {
    request.id = 'a\r\nset-cookie: b=c';
    void reply.header('x-request-id', request.id);
  },
  split: (reply) => void reply.header('location', '/\r\nset-cookie: b=c'),
  several: (reply) => void reply.header('set-cookie', ['a=b', 'c=d']),
  closing: (reply) => void reply.header('connection', 'close'),
  date: (reply) => void reply.header('date', 'never'),
  reason: ({ raw }) => void (raw.statusMessage = 'Fine'),
  'raw-header': ({ raw }) => void raw.setHeader('x-raw', 'a'),
  'raw-method': ({ raw }) => {
    const writeHead = raw.writeHead.bind(raw);
    raw.writeHead = (status: number, ...rest: never[]) => writeHead(status + 1, ...rest);
  },
};

@Public()
@Controller('notes')
class NotesController {
  @Get()
  @Returns('anything')
  list(@Query() { text }: Note): object {
    return { text };
  }

  @Get('waiting')
  @Returns('anything')
  async wait(): Promise<object> {
    waiting();
    await new Promise<void>((resolve) => (release = resolve));
    return { waited: true };
  }

  @Get('bare')
  @Returns('anything')
  bare(@Req() { params, query }: FastifyRequest): object {
    return [params, query].map((input) => inheritedOf(Object(input)));
  }

  @Get('heads/:text')
  @Returns('anything')
  changeHead(
    @Param() { text = '' }: Note,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): object {
    changes[text]?.(reply, request);
    return {};
  }

  @Get(':text')
  @Returns('anything')
  read(@Param() { text }: Note, @Res({ passthrough: true }) reply: FastifyReply): object {
    void reply.header('Location', `/notes/${text}`);
    return { text };
  }

  @Post()
  @Returns('anything')
  write(@Body() { text }: Note): object {
    if (text === 'broken') throw new TypeError('an unhandled error');
    return { text };
  }
}

/** The members that an object without a prototype lacks, and the members that it has. */
function inheritedOf(input: object): object {
  return { inherits: 'toString' in input || 'constructor' in input, own: Object.keys(input) };
}

interface Running {
  readonly app: NestFastifyApplication;
  readonly port: number;
  readonly log: GatheredLog;
}

const running: Running[] = [];
afterEach(async () => void (await Promise.all(running.splice(0).map(({ app }) => app.close()))));

async function run(env: Readonly<Record<string, string>> = {}, parts: Partial<ProgramParts> = {}) {
  const settings = readSettings(serviceSettings, { LOG_LEVEL: 'debug', MAX_DELAY: 'off', ...env });
  const log = gatherLog('debug');
  class Root {}
  const module = { module: Root, controllers: [NotesController] };
  const app = await createProgram({ name: 'api', module, settings, logs: log.logs, ...parts });
  await app.listen(0, '127.0.0.1');
  const started: Running = { app, port: Number(new URL(await app.getUrl()).port), log };
  running.push(started);
  return started;
}

/** The same program with the pipeline, and with all requests left to Fastify. */
async function runBoth(env: Readonly<Record<string, string>> = {}, parts: Partial<ProgramParts> = {}) {
  const both = [
    await run(env, parts),
    await run(env, {
      ...parts,
      plugins: (server) => void server.addHook('preHandler', (_request, _reply, done) => done()),
    }),
  ];
  expect(both.map(({ app }) => servedRoutes(app).length > 0)).toEqual([true, false]);
  return both;
}

function servedRoutes(app: NestFastifyApplication): string[] {
  const adapter: unknown = app.getHttpAdapter();
  return adapter instanceof RouteAdapter ? [...adapter.compiled.names] : [];
}

const get = (target: string, fields = '') => `GET ${target} HTTP/1.1\r\nHost: x\r\n${fields}\r\n`;
const last = 'Connection: close\r\n';
const post = (body: string, fields = last, length = Buffer.byteLength(body)) =>
  `POST /notes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n${fields}\r\n${body}`;

/** All that a server writes to a connection until it closes it, without what differs between two requests. */
async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => undefined);
  await once(socket, 'close');
  return withoutVolatile(Buffer.concat(chunks).toString('latin1'));
}

function withoutVolatile(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/Date: .*/g, '<date>');
}

/** The request log lines, without the parts that differ between requests. */
function logged({ log }: Running): string {
  const lines = log.lines().filter(({ requestId }) => requestId !== undefined);
  return withoutVolatile(JSON.stringify(lines, (name, value) => (volatile.has(name) ? '…' : value)));
}

const volatile = new Set(['time', 'durationMs', 'err']);

/** Writes each part to each program, and expects the same bytes and the same lines of the log. */
async function same(programs: readonly Running[], ...parts: readonly string[]): Promise<string> {
  const [first, second] = await Promise.all(
    programs.map(async (program) => {
      const socket = await openConnection(program.port);
      const all = readAll(socket);
      for (const part of parts) {
        socket.write(part, 'latin1');
        await new Promise(setImmediate);
      }
      const bytes = await all;
      return { bytes, lines: logged(program) };
    }),
  );
  expect(first).toEqual(second);
  return first.bytes;
}

describe('a request to a compiled route', () => {
  it.each<[string, string[], RegExp]>([
    [
      'GET',
      [get('/notes?text=a', last)],
      /^HTTP\/1.1 200 OK\r\nx-request-id: <id>\r\n[^]*\r\n\r\n{"text":"a"}$/,
    ],
    ['an invalid query', [get('/notes?other=a', last)], / 400 /],
    ['a query that is encoded', [get('/notes?text=%41+b', last)], /{"text":"A b"}$/],
    ['a query that is not valid', [get('/notes?text=%ZZ', last)], / 400 /],
    ['NUL in a query', [get('/notes?text=%00', last)], / 400 /],
    ['a parameter', [get('/notes/a', last)], /location: \/notes\/a/],
    ['a parameter that is encoded', [get('/notes/a%20b', last)], /{"text":"a b"}$/],
    ['a parameter that is not valid', [get('/notes/%ZZ', last)], / 400 /],
    ['a parameter that is too long', [get(`/notes/${'a'.repeat(1025)}`, last)], / 414 | 404 | 400 /],
    [
      'a path without parameters',
      [get('/notes/bare', last)],
      /\[{"inherits":false,"own":\[\]},{"inherits":true,"own":\[\]}\]$/,
    ],
    ['the same with a query', [get('/notes/bare?a=b', last)], /{"inherits":false,"own":\["a"\]}\]$/],
    ['the same, encoded', [get('/notes/b%61re', last)], /"own":\[\]}\]$/],
    ['an empty parameter', [get('/notes/', last)], / 404 /],
    ['an unknown path', [get('/nowhere?a=b', last)], / 404 /],
    ['another method', [get('/notes', last).replace('GET', 'PUT')], / 404 /],
    ['HEAD', [get('/notes?text=a', last).replace('GET', 'HEAD')], /content-length: 12/],
    ['OPTIONS', [get('/notes', last).replace('GET', 'OPTIONS')], / 404 /],
    ['an absolute target', [get('http://evil.example/notes?text=a', last)], /{"text":"a"}$/],
    ['a target that is none', [get('*notes', last)], / 404 /],
    ['no Host', [get('/notes', last).replace('Host: x\r\n', '')], / 400 /],
    ['two of Host', [get('/notes', `Host: x\r\n${last}`)], / 400 /],
    [
      'a Host that is none',
      [get('/notes/bare') + get('/notes/bare', last).replace('x', 'a b')],
      / 200 [^]* 400 /,
    ],
    ['HTTP/1.0', [get('/notes').replace('1.1', '1.0')], / 200 /],
    ['a body of GET', [`${get('/notes', `Content-Length: 2\r\n${last}`)}{}`], / 200 /],
    [
      'a client that wants a problem',
      [get('/notes?a=b', `Accept: application/problem+json\r\n${last}`)],
      /problem\+json/,
    ],
    ['an id of the client', [get('/notes', `X-Request-Id: abc\r\n${last}`)], / 200 /],
    ['POST', [post('{"text":"a"}')], /^HTTP\/1.1 201 [^]*{"text":"a"}$/],
    ['POST without a body', [get('/notes', last).replace('GET', 'POST')], / 201 /],
    ['an empty body', [post('')], / 201 /],
    ['invalid JSON', [post('{"text":')], / 400 /],
    ['broken UTF-8', [post('{"text":"\xff"}', last, 12)], / 400 /],
    ['a forbidden key', [post('{"__proto__":1}')], / 400 /],
    ['a member too many', [post('{"other":"a"}')], / 400 /],
    ['a body in parts', [post('{"te', last, 12), 'xt":', '"a"}'], / 201 /],
    ['a head in parts', [post('{"text":"a"}').slice(0, 20), post('{"text":"a"}').slice(20)], / 201 /],
    [
      'a chunked body',
      [post('c\r\n{"text":"a"}\r\n0\r\n\r\n').replace(/Content-Length.*/, 'Transfer-Encoding: chunked')],
      / 201 /,
    ],
    ['a body that is too large', [post(`"${'a'.repeat(102_399)}"`)], / 413 /],
    ['the largest body', [post(`"${'a'.repeat(102_398)}"`)], / 400 /],
    ['a body that is compressed', [post('{}', `Content-Encoding: gzip\r\n${last}`)], / 415 /],
    ['another type', [post('{}').replace('application/json', 'text/plain')], / 415 /],
    ['a charset', [post('{"text":"a"}').replace('json', 'json; charset=utf-8')], / 201 /],
    ['another charset', [post('{}').replace('json', 'json; charset=latin1')], / 415 /],
    ['Content-Type twice', [post('{}', `Content-Type: application/json\r\n${last}`)], / 400 /],
    ['Expect', [post('{"text":"a"}', `Expect: 100-continue\r\n${last}`)], /^HTTP\/1.1 100 /],
    ['an error', [post('{"text":"broken"}')], / 500 /],
    ['no HTTP', ['nonsense\r\n\r\n'], / 400 /],
    ['a malformed request after another', [`${get('/notes')}nonsense\r\n\r\n`], / 200 /],
    ['one after another', [get('/notes'), post('{"text":"a"}')], / 200 [^]* 201 /],
    [
      'several at once',
      [get('/notes?text=1') + post('{"text":"a"}', '') + get('/notes/3') + get('/nowhere') + post('{}')],
      / 200 [^]* 201 [^]* 200 [^]* 404 [^]* 201 /,
    ],
  ])('has the response and the log of Fastify: %s', async (_what, parts, expected) => {
    expect(await same(await runBoth(), ...parts)).toMatch(expected);
  });

  it.each(Object.keys(changes))('has the head that its handler changed: %s', async (change) => {
    expect(await same(await runBoth(), get(`/notes/heads/${change}`, last))).not.toContain(
      '\r\nset-cookie: b',
    );
  });

  it('behind a proxy, with a prefix, and counted', async () => {
    const env = { TRUST_PROXY: 'loopback', PATH_PREFIX: '/usual', METRICS_PORT: '0' };
    const programs = await runBoth(env, { prefix: '/api' });
    const fields = `X-Forwarded-For: 203.0.113.7:4711\r\nX-Forwarded-Prefix: /given\r\n${last}`;
    expect(await same(programs, get('/api/notes/a', fields))).toContain('location: /given/api/notes/a');
    expect(await same(programs, get('/api/notes/a', last))).toContain('location: /usual/api/notes/a');
    expect(await same(programs, get('/notes/a', last))).toContain(' 404 ');
    expect(
      await same(programs, get('/api/notes?a=b', `Accept: application/problem+json\r\n${last}`)),
    ).toContain('/usual');
    expect(logged(programs[0])).toContain('"address":"203.0.113.7"');
  });

  it.each([
    ['of an allowed origin', 'https://a.example', /access-control-allow-origin: https:\/\/a.example/],
    ['of another origin', 'https://b.example', /vary: Origin/],
    ['without an origin', undefined, /vary: Origin/],
  ])('has the headers of CORS: %s', async (_what, origin, expected) => {
    const programs = await runBoth({ CORS_ORIGINS: 'https://a.example' });
    const fields = `${origin === undefined ? '' : `Origin: ${origin}\r\n`}${last}`;
    for (const bytes of [
      get('/notes?text=a', fields),
      get('/notes?other=a', fields),
      post('{"text":"a"}', fields),
    ])
      expect(await same(programs, bytes)).toMatch(expected);
    await same(programs, get('/notes', fields).replace('GET', 'OPTIONS'));
  });

  it.each([
    ['while its body arrives', post('{"text"', '', 12), false],
    ['while its handler waits', get('/notes/waiting'), true],
  ])('is logged as aborted if the client closes the connection %s', async (_when, bytes, isWaiting) => {
    const programs = await runBoth();
    const lines: string[] = [];
    for (const program of programs) {
      const started = new Promise<void>((resolve) => (waiting = resolve));
      const arrived = once(program.app.getHttpServer(), 'request');
      const socket = await openConnection(program.port);
      socket.write(bytes);
      await (isWaiting ? started : arrived);
      socket.resetAndDestroy();
      await vi.waitFor(() => expect(logged(program)).toContain('client aborted request'), 10_000);
      release();
      // Whatever is logged afterwards comes before the line of another request.
      await same([program, program], get('/notes', last));
      lines.push(logged(program));
    }
    expect(lines[0]).toBe(lines[1]);
  });

  it('is completed during a shutdown, which closes its connection', async () => {
    const both = await runBoth();
    const bytes: string[] = [];
    for (const { app, port } of both) {
      const started = new Promise<void>((resolve) => (waiting = resolve));
      const socket = await openConnection(port);
      const all = readAll(socket);
      socket.write(get('/notes/waiting'));
      await started;
      const closed = app.close();
      release();
      await closed;
      bytes.push(await all);
    }
    expect(bytes[0]).toContain('{"waited":true}');
    expect(bytes[0]).toBe(bytes[1]);
  });
});

describe('all requests are left to Fastify', () => {
  it('if the application has a hook of its own', async () => {
    const { app } = await run(
      {},
      { plugins: (server) => void server.addHook('onRequest', async () => undefined) },
    );
    expect(servedRoutes(app)).toEqual([]);
  });

  it('if it uses what Nest has in their place', async () => {
    const { app } = await run(
      {},
      {
        configure: (created) => created.enableCors(),
      },
    );
    expect(servedRoutes(app)).toEqual([]);
  });

  it('while somebody subscribes to its channel', async () => {
    const { port } = await run();
    const seen: unknown[] = [];
    const channel = tracingChannel('fastify.request.handler');
    const subscriber = { start: (message: unknown) => void seen.push(message) };
    channel.subscribe(subscriber);
    const socket = await openConnection(port);
    socket.write(get('/notes', last));
    await readAll(socket);
    channel.unsubscribe(subscriber);
    expect(seen).toHaveLength(1);
  });
});
