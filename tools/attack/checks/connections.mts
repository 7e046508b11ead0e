import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { compareBaseline } from '../target/baseline.mts';
import { openRaw, type RawConnection } from '../wire/raw.mts';
import { baselineProbe } from '../target/probes.mts';
import { settled } from '../target/settled.mts';
import { check, type Check, type Target } from '../target/target.mts';
import type { Attempt } from '../wire/exchange.mts';
import { namesThing, isPublic } from '../openapi/openapi.mts';

const area = 'connections';
const MB = 1024 * 1024;

/** The memory that unread responses may take, in total. */
const maxGrowth = 300 * MB;
const pipelined = 1000;
const settling = { step: MB, stableMs: 1500 };

/** Checks that unread responses do not fill the memory. */
const unread = check(area, 'unread answers', async (target, findings) => {
  const { meter, wire } = target;
  if (!meter) return findings.note('memory can be read for a program on this machine alone (Linux)');
  const { path, bytes } = await largestPublicAnswer(target);
  const before = meter.memory();
  const connections = Array.from({ length: 4 }, () => openRaw(wire.url, target.addresses[0]));
  for (const { socket } of connections) {
    socket.pause();
    socket.write(`GET ${wire.at(path)} HTTP/1.1\r\nhost: ${wire.url.host}\r\n\r\n`.repeat(pipelined));
  }
  const most = await settled(() => meter.memory(), { ...settling, limit: before + maxGrowth });
  connections.forEach((connection) => connection.close());
  const growth = Math.round((most - before) / MB);
  findings.note(`${connections.length * pipelined} answers of ${bytes} bytes, unread: ${growth} MB`);
  const problem = `${pipelined} pipelined requests on each of 4 connections, with nothing read, took ${growth} MB`;
  findings.expect(most - before <= maxGrowth, problem, { method: 'GET', path });
});

/** Checks that connections with headers but no body leave room for other callers. */
const slowBodies = check(area, 'bodies that do not arrive', async (target, findings) => {
  const operation =
    target.operations.find(({ body, security }) => body && security.length === 0) ??
    target.operations.find(({ body }) => body);
  if (!operation) return findings.note('no route takes a body');
  const { authorization } =
    operation.security.length > 0 ? await target.callers.other.headers() : { authorization: '' };
  const head = `${operation.method} ${target.wire.at(operation.path)} HTTP/1.1\r\nhost: ${target.wire.url.host}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n${authorization ? `authorization: ${authorization}\r\n` : ''}\r\n{`;
  await holdOpen(target, 'bodies that do not arrive', head, {
    method: operation.method,
    path: operation.path,
  });
});

/** Checks that connections that never end their headers leave room for other callers. */
const slowHeaders = check(area, 'headers that do not end', (target) =>
  holdOpen(target, 'headers that do not end', `GET ${target.wire.at('/')} HTTP/1.1\r\nhost: a\r\nx-slow: `, {
    method: 'GET',
    path: '/',
  }),
);

async function holdOpen(target: Target, title: string, head: string, shown: Attempt): Promise<void> {
  const { findings } = target;
  const all: RawConnection[] = [];
  const attack = async (signal: AbortSignal, begun: () => void) => {
    const opened = await openMany(target, head);
    begun();
    if (!signal.aborted) await once(signal, 'abort');
    opened.forEach((rawConnection) => rawConnection.close());
    all.push(...opened);
  };
  await compareBaseline(target, { title, probe: baselineProbe(target), attack, shown });
  findings.note(`${all.length} connections`);
  await pause(100);
}

async function openMany(target: Target, head: string): Promise<RawConnection[]> {
  const { wire, effort, addresses } = target;
  const opened: RawConnection[] = [];
  while (opened.length < effort.slowConnections) {
    const connection = openRaw(wire.url, addresses[opened.length % Math.max(1, addresses.length)]);
    connection.socket.write(head);
    opened.push(connection);
    if (opened.length % 50 === 0) await pause(5);
  }
  return opened;
}

/** Finds the public response with the most bytes, which is often the OpenAPI document. */
async function largestPublicAnswer({
  wire,
  operations,
  documentPath,
}: Target): Promise<{ path: string; bytes: number }> {
  const open = operations.filter(
    (operation) => operation.method === 'GET' && isPublic(operation) && !namesThing(operation),
  );
  const paths = [
    ...(documentPath ? [documentPath] : []),
    '/docs/swagger-ui-bundle.js',
    ...open.map(({ path }) => path),
  ];
  const sizes = await Promise.all(
    paths.map(async (path) => {
      const { status, text } = await wire.send({ method: 'GET', path });
      return { path, bytes: status === 200 ? text.length : 0 };
    }),
  );
  return sizes.toSorted((a, b) => b.bytes - a.bytes)[0] ?? { path: '/', bytes: 0 };
}

export const connections: readonly Check[] = [unread, slowBodies, slowHeaders];
