import { takesBearer, namesThing, isPublic } from '../openapi/openapi.mts';
import { setTimeout as pause } from 'node:timers/promises';
import type { Attempt } from '../wire/exchange.mts';
import { openRaw, type RawConnection } from '../wire/raw.mts';
import { baselineProbe } from '../target/probes.mts';
import { requestOf } from '../target/requests.mts';
import { check, type Target } from '../target/target.mts';

const MB = 1024 * 1024;
const repetitions = 10_000;
/** The number of rounds. V8 lets a heap grow for some rounds before it collects, but a leak grows in every round. */
const rounds = 8;
/** The number of pipelined requests. It is below the count at which most servers stop reading, and quick. */
const pipelined = 10;
/** The permitted growth. Four kilobytes kept for each request would be 40 MB. */
const maxGrowth = 24 * MB;
const waitMs = 10_000;
/** The start of a response. */
const start = 'HTTP/1.1 ';

/**
 * Checks that requests leave no memory behind. A connection repeats each kind of request while the program's memory must stay
 * constant. The check then closes the connection, and the program must still answer.
 */
const area = 'connections';

export const keptConnection = check(area, 'many requests on one connection', async (target, findings) => {
  if (!target.meter) findings.note('memory can be read for a program on this machine alone (Linux)');
  for (const attempt of await kindsOf(target)) {
    const connection = openRaw(target.wire.url, target.addresses[0]);
    const { sent, growth } = await repeatAndMeasure(target, connection, attempt);
    const of = `${sent} × ${attempt.method} ${attempt.path} on one connection`;
    findings.expect(growth <= maxGrowth, `${of} took ${Math.round(growth / MB)} MB`, attempt);
    connection.socket.write(textOf(target, attempt, 'close'));
    await connection.untilEnd(1000);
    connection.close();
    const { status } = await baselineProbe(target)();
    const problem = `after ${of} and a last one that closes it, the service does not respond`;
    findings.expect(status !== 0, problem, attempt);
    // The memory of a program that leaks says nothing about the next kind of request.
    if (status === 0 || growth > maxGrowth) return;
  }
});

/** Measures the growth in each round. A small heap grows with the first requests, and a leak grows every time. */
async function repeatAndMeasure(target: Target, connection: RawConnection, attempt: Attempt) {
  let [sent, growth] = [0, Infinity];
  for (let round = 0; round < rounds && growth > maxGrowth; round += 1) {
    const before = target.meter?.memory() ?? 0;
    sent += await repeat(target, connection, attempt);
    await pause(100);
    growth = Math.max(0, (target.meter?.memory() ?? 0) - before);
  }
  return { sent, growth };
}

/** Makes a request that is accepted, and requests that are refused before a handler runs. */
async function kindsOf({ operations, callers }: Target): Promise<Attempt[]> {
  const reads = operations.filter((operation) => operation.method === 'GET' && !namesThing(operation));
  const [closed, open] = [reads.find(takesBearer), reads.find(isPublic)];
  const taking = operations.find(({ body }) => body);
  const attempts: (Attempt | undefined)[] = [
    open && requestOf(open),
    closed && requestOf(closed, { headers: await callers.user.headers() }),
    closed && requestOf(closed),
    closed && { method: 'OPTIONS', path: closed.path },
    taking && { method: taking.method, path: taking.path, headers: { 'content-type': 'text/x' }, body: 'x' },
    { method: 'GET', path: '/a-path-that-is-not-there' },
  ];
  return attempts.filter((attempt) => attempt !== undefined);
}

/** Repeats a request and returns the number sent before the service closed the connection, which it may do. */
async function repeat(target: Target, connection: RawConnection, attempt: Attempt): Promise<number> {
  const batch = textOf(target, attempt, 'keep-alive').repeat(pipelined);
  let [sent, answered] = [0, 0];
  const { promise, resolve } = Promise.withResolvers<void>();
  const next = () => {
    if (sent >= repetitions || connection.socket.destroyed) return resolve();
    sent += pipelined;
    connection.socket.write(batch);
  };
  const read = (chunk: Buffer) => {
    for (let at = chunk.indexOf(start); at !== -1; at = chunk.indexOf(start, at + start.length))
      answered += 1;
    if (answered >= sent) next();
  };
  const timer = setTimeout(resolve, waitMs);
  connection.socket.on('data', read).once('close', resolve);
  next();
  await promise;
  clearTimeout(timer);
  connection.socket.off('data', read);
  return sent;
}

function textOf({ wire }: Target, { method, path, headers = {}, body }: Attempt, connection: string): string {
  const fields = {
    host: wire.url.host,
    connection,
    ...(body !== undefined && { 'content-length': `${body.length}` }),
  };
  const lines = Object.entries({ ...headers, ...fields }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${wire.at(path)} HTTP/1.1\r\n${lines.join('')}\r\n${body?.toString() ?? ''}`;
}
