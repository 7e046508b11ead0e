import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Public } from '@app/auth';
import { Returns } from '@app/contract';
import { openConnection } from '@app/service/testing';
import { Controller, Get, HttpCode, HttpException, Param } from '@nestjs/common';
import { bootApi } from '../testing/boot-api';

/** The request count. In the full tests it is high enough to see four kilobytes per request in the heap; the usual tests see functions and listeners. */
const isFull = process.env.TEST_EFFORT === 'full';
const repetitions = isFull ? 2500 : 100;
const pipelined = 10;
/** The permitted heap growth: for counters and caches that fill once, and for each request. */
const allowance = { once: 1_000_000, each: 256 };

@Controller('statuses')
@Public()
class StatusController {
  @Get('nothing')
  @HttpCode(204)
  @Returns('nothing')
  nothing(): void {}

  @Get(':status')
  @Returns('nothing')
  fail(@Param('status') status: string): void {
    throw status === '500' ? new Error('unhandled') : new HttpException('refused', Number(status));
  }
}

const json = (body: string) =>
  `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
const boundary = 'content-type: multipart/form-data; boundary=b\r\ncontent-length: 8\r\n\r\n--b--\r\n\r\n';

/** Every kind of response that leaves the connection open: first lines and headers, and the status. */
const kinds = [
  ['GET /health/live', '\r\n', 200],
  ['HEAD /health/live', '\r\n', 200],
  ['GET /users/me', '<token>\r\n', 200],
  ['GET /openapi.json', 'if-none-match: *\r\n\r\n', 304],
  ['GET /statuses/nothing', '\r\n', 204],
  ['OPTIONS /items', '\r\n', 404],
  ['GET /items?limit=0', '<token>\r\n', 400],
  ['POST /users', json('{"email":"ada"}'), 400],
  ['GET /items', '\r\n', 401],
  ['HEAD /items', '\r\n', 401],
  ['POST /orders', json('{"items":[]}'), 401],
  [
    'POST /orders',
    'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
    401,
  ],
  ['GET /statuses/403', '\r\n', 403],
  ['GET /nowhere', '\r\n', 404],
  ['POST /nowhere', json('{}'), 404],
  ['GET /statuses/409', '\r\n', 409],
  ['POST /users', 'content-type: text/plain\r\ncontent-length: 2\r\n\r\n{}', 415],
  ['GET /statuses/422', '\r\n', 422],
  ['GET /statuses/429', '\r\n', 429],
  ['GET /statuses/500', '\r\n', 500],
  ['GET /statuses/503', '\r\n', 503],
] as const;

/** Responses after which the connection is closed. */
const closing = [
  ['PUT /users/me/picture', boundary, 401],
  ['POST /users', json('{'), 400],
  ['POST /users', json(`"${'x'.repeat(200 * 1024)}"`), 413],
  ['GET /nowhere', 'connection: close\r\n\r\n', 404],
] as const;

describe.each(['compiled', 'nest'] as const)('a kept-alive connection, with routes of %s', (routes) => {
  const api = bootApi({ routes, controllers: [StatusController] });
  let port: number;
  let token: string;
  let socket: Socket;
  let accepted: Socket;

  const open = async () => {
    const connected = once(api.app().getHttpServer(), 'connection');
    socket = await openConnection(port);
    [accepted] = await connected;
  };
  beforeAll(async () => {
    const server: Server = api.app().getHttpServer();
    ({ port } = server.address() as AddressInfo);
    token = `authorization: Bearer ${await api.tokenOf({})}\r\n`;
  });
  beforeEach(open);
  afterEach(() => void socket.destroy());

  const textOf = (line: string, rest: string) =>
    `${line} HTTP/1.1\r\nhost: x\r\n${rest.replace('<token>', token)}`;

  it.each(kinds)('keeps nothing of %s, %j: %i', async (line, rest, status) => {
    const request = textOf(line, rest);
    await repeat(socket, request, status, 5 * pipelined);
    await repeat(socket, request, status, 1);
    const before = stateOf(accepted);
    await repeat(socket, request, status, repetitions);
    const after = stateOf(accepted);
    expect(after.listeners).toEqual(before.listeners);
    expect(after.own).toEqual(before.own);
    expect(after.heap - before.heap).toBeLessThan(allowedGrowth(repetitions));
  });

  it.each(closing)('is closed after %s, and nothing of it is kept', async (line, rest, status) => {
    const request = textOf(line, rest);
    const sendAndClose = async () => {
      await repeat(socket, request, status, 1);
      if (!accepted.destroyed) await once(accepted, 'close');
      await open();
    };
    for (let sent = 0; sent < pipelined; sent += 1) await sendAndClose();
    const { heap } = stateOf(accepted);
    for (let sent = 0; sent < repetitions / 5; sent += 1) await sendAndClose();
    expect(stateOf(accepted).heap - heap).toBeLessThan(allowedGrowth(repetitions / 5));
  });

  it('is gone after uploads that were aborted', async () => {
    const abort = async () => {
      const connection = await openConnection(port);
      connection.write(
        textOf('POST /users', `content-type: application/json\r\ncontent-length: 1000\r\n\r\n{`),
      );
      connection.destroy();
      await once(connection, 'close');
    };
    const server: Server = api.app().getHttpServer();
    const connections = await connectionsOf(server);
    const drained = () => vi.waitUntil(async () => (await connectionsOf(server)) <= connections, 10_000);
    const batch = (count: number) => Promise.all(Array.from({ length: count }, abort));
    await batch(50);
    await drained();
    const { heap } = stateOf(accepted);
    for (let sent = 0; sent < repetitions / 4; sent += 50) await batch(50);
    await drained();
    expect(stateOf(accepted).heap - heap).toBeLessThan(allowedGrowth(repetitions / 4));
  });
});

/** Sends a request so many times over one connection, a few at once, and expects the status each time. */
async function repeat(socket: Socket, request: string, status: number, count: number): Promise<void> {
  const atOnce = Math.min(pipelined, count);
  const batch = request.repeat(atOnce);
  for (let sent = 0; sent < count; sent += atOnce) {
    const replies = statusesOf(socket, atOnce);
    socket.write(batch);
    expect(await replies).toEqual(Array.from({ length: atOnce }, () => status));
  }
}

function statusesOf(socket: Socket, count: number): Promise<number[]> {
  const { promise, resolve, reject } = Promise.withResolvers<number[]>();
  let text = '';
  const read = (chunk: Buffer) => {
    text += chunk.toString('latin1');
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
    if (statuses.length < count) return;
    socket.off('data', read).off('close', end);
    resolve(statuses);
  };
  const end = () => reject(new Error(`the connection was closed after ${text}`));
  socket.on('data', read).on('close', end);
  return promise;
}

/** The connection state that could grow with each request. */
function stateOf(socket: Socket) {
  const own = Object.getOwnPropertyNames(socket).map((name): unknown => Reflect.get(socket, name));
  return {
    listeners: Object.fromEntries(
      socket.eventNames().map((event) => [event, socket.rawListeners(event).length] as const),
    ),
    own: own.filter((value) => typeof value === 'function'),
    heap: usedHeap(),
  };
}

function allowedGrowth(requests: number): number {
  return allowance.once + requests * allowance.each;
}

/** The heap after a collection, in bytes; 0 in the usual tests, in which other tests of the process change it by more. */
function usedHeap(): number {
  if (!isFull) return 0;
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  collect();
  return process.memoryUsage().heapUsed;
}

function connectionsOf(server: Server): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  server.getConnections((_, count) => resolve(count));
  return promise;
}
