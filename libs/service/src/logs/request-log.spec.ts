import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { accessLogOf, makeLog } from './open-logs';
import { logRequests, makeRequestId, type RequestLogOptions } from './request-log';

interface Line {
  readonly level: string;
  readonly [field: string]: unknown;
}

/** A server that logs into a list, and the next line of it. */
function logging(options: RequestLogOptions & { readonly trustProxy?: string } = {}) {
  const lines: Line[] = [];
  const texts: string[] = [];
  let onLine: ((line: Line) => void) | undefined;
  const write = (text: string) => {
    const line: Line = JSON.parse(text);
    lines.push(line);
    texts.push(text);
    onLine?.(line);
  };
  const server: FastifyInstance = fastify({
    genReqId: makeRequestId,
    trustProxy: options.trustProxy ?? false,
  });
  const log = makeLog('api', 'debug', { write });
  logRequests(server, log, options);
  server.addHook('preHandler', (request, _reply, done) => {
    const { 'x-user': userId } = request.headers;
    if (userId !== undefined) Object.assign(request, { user: { userId: Number(userId) } });
    done();
  });
  server.get('/health/ready', () => 'ok');
  server.get('/refused', (_request, reply) => reply.code(503).send('later'));
  server.get('/fails', () => Promise.reject(new Error('no')));
  server.post('/things/:id', () => 'made');
  server.get('/never', () => new Promise(() => undefined));
  return { server, log, lines, texts, nextLine: () => new Promise<Line>((resolve) => (onLine = resolve)) };
}

describe('the log of requests', () => {
  it('has one line per request: id, method, path without query, status, milliseconds', async () => {
    const { server, lines } = logging();
    const answer = await server.inject({
      method: 'POST',
      url: '/things/7?token=hunter2#x',
      payload: { password: 'hunter2' },
    });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      level: 'info',
      requestId: answer.headers['x-request-id'],
      method: 'POST',
      path: '/things/7',
      status: 200,
      durationMs: expect.any(Number),
    });
    expect(JSON.stringify(lines)).not.toContain('hunter2');
  });

  it.each([
    ['x-forwarded-for', undefined],
    ['forwarded', undefined],
    ['x-real-ip', undefined],
    ['x-forwarded-for', '10.0.0.0/8'],
  ])('warns once of a proxy that is not trusted (%s, TRUST_PROXY=%s)', async (header, trustProxy) => {
    const { server, lines } = logging({ trustProxy });
    for (const headers of [{}, { [header]: '203.0.113.7' }, { [header]: '203.0.113.8' }])
      await server.inject({ method: 'POST', url: '/things/7', headers });
    const warnings = lines.filter(({ level }) => level === 'warn');
    expect(warnings).toMatchObject([{ address: '127.0.0.1', msg: expect.stringContaining('TRUST_PROXY') }]);
  });

  it('does not warn of a trusted proxy', async () => {
    const { server, lines } = logging({ trustProxy: '127.0.0.0/8' });
    for (const headers of [
      {},
      { 'x-forwarded-for': '203.0.113.7', 'x-real-ip': '203.0.113.7' },
      { forwarded: 'for=203.0.113.7' },
    ])
      await server.inject({ method: 'POST', url: '/things/7', headers });
    expect(lines.map(({ level }) => level)).toEqual(['info', 'info', 'info']);
  });

  it('has the route as it is declared, and the address and user id of the caller', async () => {
    const { server, lines } = logging();
    await server.inject({ method: 'POST', url: '/things/7', headers: { 'x-user': '5' } });
    await server.inject({ method: 'POST', url: '/unknown' });
    expect(lines).toMatchObject([
      { path: '/things/7', route: '/things/:id', address: '127.0.0.1', userId: 5 },
      { path: '/unknown', address: '127.0.0.1', status: 404 },
    ]);
    expect(lines[1]).not.toHaveProperty('route');
    expect(lines[1]).not.toHaveProperty('userId');
  });

  it.each([
    ['user', { userId: 5 }],
    ['off', {}],
  ] as const)('has of the caller only what is allowed: %s', async (callers, expected) => {
    const { server, lines } = logging({ callers });
    await server.inject({ method: 'POST', url: '/things/7', headers: { 'x-user': '5' } });
    const { address, userId } = lines[0];
    expect({ address, userId }).toEqual({ address: undefined, userId: undefined, ...expected });
  });

  it('has one line a second of refused requests, with their count', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { server, lines } = logging();
    for (let count = 0; count < 50; count += 1) await server.inject({ url: '/refused' });
    await server.inject({ url: '/things/7', method: 'POST' });
    vi.advanceTimersByTime(1000);
    vi.useRealTimers();
    expect(lines).toMatchObject([
      { level: 'error', path: '/refused', status: 503 },
      { level: 'info', path: '/things/7', status: 200 },
      { level: 'error', path: '/refused', status: 503, count: 49 },
    ]);
    expect(lines[0]).not.toHaveProperty('count');
  });

  it('has the same format as the other lines of the log, in order', async () => {
    const { server, lines, log } = logging();
    const id = { 'x-request-id': 'trace-7.eyJa.b.c' };
    await server.inject({ url: '/things/%22%5C/eyJa.b.c?q', headers: id });
    const { level: _level, time: _time, name: _name, pid: _pid, msg, ...fields } = lines[0];
    log.info(fields, String(msg));
    expect(JSON.stringify({ ...lines[0], time: '' })).toBe(JSON.stringify({ ...lines[1], time: '' }));
    expect(lines[0]).toMatchObject({
      clientRequestId: 'trace-7.[hidden token]',
      path: '/things/%22%5C/[hidden token]',
    });
    expect(String(lines[0].time)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it.each([
    ['an API key', `sluice_${'Ab3-_'.repeat(9)}xyzw`],
    ['a refresh token', randomBytes(60).toString('base64url')],
    ['the token of a mail', `Aa1${randomBytes(32).toString('base64url')}`],
    ['credentials', 'Bearer%20hunter2'],
    ['a key in hexadecimal', `a1${randomBytes(20).toString('hex')}`],
    ['a key of twenty characters', 'Aa1bBcCdD_eEfFgGhH-9'],
  ])('hides %s in a path', async (_, secret) => {
    const { server, lines } = logging();
    await server.inject({ url: `/things/${secret}/part?key=${secret}#${secret}` });
    await server.inject({ url: `/things/${secret}.pdf` });
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(JSON.stringify(line)).not.toContain(secret);
    expect(lines[0].path).toMatch(/^\/things\/(?:\[hidden \w+\]\/part|Bearer \[hidden\])$/);
  });

  it.each([
    '/posts/the-10-longest-slugs-of-all-posts-that-were-written',
    '/orders/7b5a84a9-68f0-4f00-8f0e-da9c4fdb0d53',
    '/posts/gr%C3%BC%C3%9Fe-aus-Z%C3%BCrich-2026',
    '/.well-known/oauth-authorization-server',
  ])('has the path %s as it is', async (url) => {
    const { server, lines } = logging();
    await server.inject({ url });
    expect(lines[0].path).toBe(url);
  });

  it('has control characters escaped, in case a parser lets them pass', () => {
    const { log, texts, lines } = logging();
    const fields = { requestId: makeRequestId(), method: 'GET', status: 404, durationMs: 1 };
    accessLogOf(log).info({ ...fields, path: '/\u009b2J', address: '\u202e' });
    expect(texts.join('')).not.toMatch(/[\u007f-\u009f\u202e]/);
    expect(lines).toMatchObject([{ path: '/\u009b2J', address: '\u202e' }]);
  });

  it('never contains credentials', async () => {
    const { server, lines } = logging();
    const headers = { authorization: 'Bearer hunter2', cookie: 'a=hunter2', 'x-api-key': 'hunter2' };
    await server.inject({ url: '/fails', headers });
    expect(JSON.stringify(lines)).not.toContain('hunter2');
  });

  it.each([
    ['error', '/fails', 500],
    ['info', '/nowhere', 404],
    ['debug', '/health/ready', 200],
  ])('is on level %s for %s', async (level, url, status) => {
    const { server, lines } = logging();
    await server.inject({ url });
    expect(lines).toMatchObject([{ level, status }]);
  });

  it('generates the id of every request, and logs the client’s own id only if it is well-formed', async () => {
    const { server, lines } = logging();
    const send = (id: string) => server.inject({ url: '/health/ready', headers: { 'x-request-id': id } });
    const [first, second] = [await send('trace-7.a_B'), await send('x y")')];
    expect(first.headers['x-request-id']).not.toBe('trace-7.a_B');
    expect(first.headers['x-request-id']).not.toBe(second.headers['x-request-id']);
    expect(lines[0]).toMatchObject({ clientRequestId: 'trace-7.a_B' });
    expect(lines[1]).not.toHaveProperty('clientRequestId');
  });

  it('never repeats an id', () => {
    const ids = Array.from({ length: 10_000 }, makeRequestId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(
      ids.filter((id) => !/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(id)),
    ).toEqual([]);
  });

  // Fault 13 of the stock stack: a client that aborts made an ERROR line with a stack, as many as it liked.
  it('logs an aborted request at debug', async () => {
    const { server, nextLine } = logging();
    const { port } = new URL(await server.listen({ port: 0, host: '127.0.0.1' }));
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('GET /never HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(server.server, 'request');
    const line = nextLine();
    socket.destroy();
    expect(await line).toMatchObject({ level: 'debug', path: '/never', msg: 'client aborted request' });
    await server.close();
  });

  it.each(['203.0.113.7', '2001:db8::1', '::ffff:127.0.0.1', 'unknown', '"'])(
    'has the address %j',
    (address) => {
      const { log, lines } = logging();
      accessLogOf(log).info({ address });
      expect(lines[0]).toMatchObject({ address });
    },
  );
});
