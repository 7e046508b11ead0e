/** Runs the server in the given file and measures requests on in-memory connections. */
import http, { type Server } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { pathToFileURL } from 'node:url';
import { getHeapStatistics } from 'node:v8';
import type { Request } from '../http/routes.mts';
import { MemorySocket } from './memory-socket.mts';

/** The request to send, and its numbers of slices. */
export interface Slices {
  readonly request: Request;
  /** The status that every response must have. */
  readonly status: number;
  /** The tokens, with a token for each connection. */
  readonly tokens: readonly string[];
  readonly warmUp: number;
  readonly slices: number;
}

/** A request's cost. */
export interface Cost {
  /** The microseconds in the shortest slice. */
  readonly micros: number;
  /** The bytes that V8 allocated in all slices. */
  readonly bytes: number;
}

const requestsOfSlice = 300;

const { createServer } = http;
const listening = Promise.withResolvers<Server>();
Reflect.set(http, 'createServer', (...args: unknown[]) => {
  const server: Server = Reflect.apply(createServer, http, args);
  server.once('listening', () => listening.resolve(server));
  return server;
});
syncBuiltinESMExports();
// Programs read their arguments.
const [file = ''] = process.argv.splice(2);
await import(pathToFileURL(file).href);
const server = await listening.promise;

// Those of the server report its CPU time.
process.removeAllListeners('message');
process.on('message', (order: Slices) => {
  costOf(order).then(
    (cost) => process.send?.(cost),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.send?.('listening');

async function costOf({ request, status, tokens, warmUp, slices }: Slices): Promise<Cost> {
  const connections = tokens.map((token) => {
    const socket = new MemorySocket();
    server.emit('connection', socket);
    return { socket, bytes: bytesOf(request, token) };
  });
  let shortest = Infinity;
  let allocated = 0;
  for (let slice = -warmUp; slice < slices; slice++) {
    if (slice === 0) allocated = allocatedBytes();
    const micros = await sliceOf(connections, ` ${status} `);
    if (slice >= 0) shortest = Math.min(shortest, micros);
  }
  const bytes = (allocatedBytes() - allocated) / (slices * requestsOfSlice);
  for (const { socket } of connections) socket.destroy();
  return { micros: shortest, bytes };
}

/** Returns the bytes allocated since the start of the process. */
function allocatedBytes(): number {
  return getHeapStatistics().total_allocated_bytes;
}

interface Connection {
  readonly socket: MemorySocket;
  readonly bytes: Buffer;
}

/**
 * Runs a slice. Each connection sends its next request when its response has come.
 *
 * @returns the microseconds per request, or `Infinity` if a busy machine caused a request to be shed
 */
function sliceOf(connections: readonly Connection[], status: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const begun = performance.now();
  let toSend = requestsOfSlice - connections.length;
  let open = requestsOfSlice;
  let isShed = false;
  for (const { socket, bytes } of connections) {
    socket.onResponse = (response) => {
      if (hasStatus(response, ' 503 ')) isShed = true;
      else if (!hasStatus(response, status)) reject(new Error(String(response)));
      if (toSend > 0) {
        toSend -= 1;
        setImmediate(() => socket.push(bytes));
      }
      open -= 1;
      // What is done after the response belongs to the request.
      if (open > 0) return;
      setImmediate(() => resolve(isShed ? Infinity : ((performance.now() - begun) * 1000) / requestsOfSlice));
    };
    socket.push(bytes);
  }
  return promise;
}

function hasStatus(response: Buffer, status: string): boolean {
  return response.indexOf(status, 0, 'latin1') === 'HTTP/1.1'.length;
}

function bytesOf({ method, path, needsToken, body }: Request, token: string): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body);
  const fields = [
    'host: 127.0.0.1',
    ...(needsToken ? [`authorization: Bearer ${token}`] : []),
    ...(text === '' ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`]),
  ];
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n${text}`);
}
