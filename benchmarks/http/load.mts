/**
 * A closed-loop load generator. It keeps a number of connections busy, each with its own token and a single request at a time.
 * It is written for this benchmark because it must cost less than the servers and measure less than a millisecond.
 */
import { connect } from 'node:net';
import type { Request } from './routes.mts';
import { onResponses, stayAwake, writerOf } from './wire.mts';

/** The request to send, and its duration. */
export interface Order {
  readonly port: number;
  readonly request: Request;
  /** The status that every response must have. With `mayShed`, 503 is allowed too. */
  readonly status: number;
  readonly mayShed?: boolean;
  /** The tokens, with a token for each connection. */
  readonly tokens: readonly string[];
  readonly milliseconds: number;
}

/** The result. */
export interface Outcome {
  readonly requests: number;
  /** The number of responses with 503. */
  readonly shed: number;
  /** The latency percentiles of responses other than 503, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly perSecond: number;
}

process.on('message', (orders: readonly Order[]) => {
  const sleep = stayAwake();
  Promise.all(orders.map(run))
    .finally(sleep)
    .then(
      (outcome) => process.send?.({ outcome }),
      (error: unknown) => process.send?.({ error: String(error) }),
    );
});

async function run(order: Order): Promise<Outcome> {
  const latencies: number[] = [];
  const begun = performance.now();
  const deadline = begun + order.milliseconds;
  const shed = await Promise.all(order.tokens.map((token) => sendUntil(order, token, deadline, latencies)));
  const seconds = (performance.now() - begun) / 1000;
  const sorted = Float64Array.from(latencies).toSorted();
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)];
  const refused = shed.reduce((sum, count) => sum + count, 0);
  const requests = latencies.length + refused;
  return { requests, shed: refused, p50: at(0.5), p99: at(0.99), perSecond: requests / seconds };
}

/** Sends requests until the deadline and returns how many requests were shed. */
function sendUntil(order: Order, token: string, deadline: number, latencies: number[]): Promise<number> {
  const next = writerOf(order.request, token);
  return new Promise((resolve, reject) => {
    const socket = connect({ port: order.port, host: '127.0.0.1', noDelay: true });
    let asked = 0;
    let shed = 0;
    const ask = () => {
      asked = performance.now();
      socket.write(next(), 'latin1');
    };
    onResponses(socket, (status) => {
      const now = performance.now();
      if (status === order.status) latencies.push(now - asked);
      else if (order.mayShed && status === 503) shed++;
      else return reject(new Error(`${order.request.method} ${order.request.path} was answered ${status}`));
      if (now < deadline) ask();
      else {
        socket.destroy();
        resolve(shed);
      }
    });
    socket.once('connect', ask).once('error', reject);
    socket.once('close', () => reject(new Error('the server closed a connection')));
  });
}
