/**
 * An open-loop load generator. Requests are due at a fixed rate, independent of earlier responses, and their latency counts from
 * when they were due. It therefore measures queueing everywhere, including before a connection is free.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Request } from './routes.mts';
import { onResponses, writerOf } from './wire.mts';

/** A period at a fixed rate. */
export interface Phase {
  readonly name: string;
  readonly perSecond: number;
  readonly milliseconds: number;
}

/** The request to send, and its rates. The phases follow each other seamlessly. */
export interface OpenOrder {
  readonly port: number;
  readonly request: Request;
  readonly status: number;
  /** The tokens, with a token for each connection. */
  readonly tokens: readonly string[];
  readonly phases: readonly Phase[];
}

/** The result of a phase, for the requests that were due in it. Times are in milliseconds. */
export interface PhaseOutcome {
  readonly name: string;
  /** The responses and rejections that arrived during the phase, whenever they were due. */
  readonly answersPerSecond: number;
  readonly refusalsPerSecond: number;
  /** The percentiles for all accepted requests. A request without a response counts as answered at the end. */
  readonly p50: number;
  readonly p99: number;
  /** The percentiles for the responses in the first and last fifth of the phase. They show whether a queue grows. */
  readonly p99AtFirst: number;
  readonly p99AtLast: number;
  /** The percentile of the rejections. */
  readonly refusedP99: number;
  /** The slowest response from `GET /health/live`, and the number of responses other than 200. */
  readonly healthMost: number;
  readonly healthFailed: number;
  /** The delay with which the load generator sent requests for which a connection was free. */
  readonly sentLateP99: number;
}

/** The interval between health requests, which have their own connection. */
const probeEveryMs = 50;

process.on('message', (order: OpenOrder) => {
  ask(order).then(
    (outcome) => process.send?.({ outcome }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});

/** A request. */
interface Sample {
  readonly due: number;
  readonly phase: number;
  /** Whether a connection was free when the request was due. */
  wasFree: boolean;
  sent: number;
  done: number;
  status: number;
}

/** A connection that sends a single request at a time. Idle connections wait in a list. */
interface Line {
  readonly socket: Socket;
  ask(sample: Sample): void;
}

async function ask({ port, request, status, tokens, phases }: OpenOrder): Promise<PhaseOutcome[]> {
  const problems: string[] = [];
  const idle = new Queue<Line>();
  const waiting = new Queue<Sample>();
  const freed = (line: Line) => {
    const next = waiting.shift();
    if (next === undefined) idle.push(line);
    else line.ask(next);
  };
  const lines: Line[] = [];
  for (const token of tokens) lines.push(await openLine(port, writerOf(request, token), freed, problems));
  // In turn: the server closes a connection without requests.
  for (const line of lines) idle.push(line);
  const probe = await openLine(port, writerOf(health, ''), () => undefined, problems);
  const begun = performance.now();
  const all = samplesOf(phases, begun);
  const end = begun + phases.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const probes: Sample[] = [];
  let next = 0;
  for (let now = begun; now < end && problems.length === 0; now = performance.now()) {
    for (; next < all.length && all[next].due <= now; next++) {
      const line = waiting.isEmpty ? idle.shift() : undefined;
      all[next].wasFree = line !== undefined;
      if (line === undefined) waiting.push(all[next]);
      else line.ask(all[next]);
    }
    const last = probes.at(-1);
    if (last === undefined || (last.done > 0 && now - last.due >= probeEveryMs)) {
      probes.push(sampleAt(now, phaseAt(phases, now - begun)));
      probe.ask(probes[probes.length - 1]);
    }
    // Busy loop: a sleeping generator would send late.
    await new Promise(setImmediate);
  }
  for (const { socket } of [...lines, probe]) socket.destroy();
  const unexpected = all.find(
    (sample) => sample.done > 0 && sample.status !== status && sample.status !== 503,
  );
  if (unexpected) problems.push(`${request.method} ${request.path} was answered ${unexpected.status}`);
  if (problems.length > 0) throw new Error(problems[0]);
  return phases.map((phase, at) => {
    const start = begun + phases.slice(0, at).reduce((sum, { milliseconds }) => sum + milliseconds, 0);
    return outcomeOf(phase, { samples: all, probes, begun: start, end }, at);
  });
}

const health: Request = { method: 'GET', path: '/health/live' };

async function openLine(
  port: number,
  write: () => string,
  freed: (line: Line) => void,
  problems: string[],
): Promise<Line> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  let asked: Sample | undefined;
  const line: Line = {
    socket,
    ask(sample) {
      asked = sample;
      sample.sent = performance.now();
      socket.write(write(), 'latin1');
    },
  };
  onResponses(socket, (status) => {
    if (asked === undefined) return;
    asked.done = performance.now();
    asked.status = status;
    asked = undefined;
    freed(line);
  });
  socket.on('error', ({ message }) => problems.push(message));
  socket.once('close', () => problems.push('the server closed a connection'));
  return line;
}

function samplesOf(phases: readonly Phase[], begun: number): Sample[] {
  const samples: Sample[] = [];
  let from = begun;
  for (const [phase, { perSecond, milliseconds }] of phases.entries()) {
    const count = Math.floor((perSecond * milliseconds) / 1000);
    for (let at = 0; at < count; at++) samples.push(sampleAt(from + (at / perSecond) * 1000, phase));
    from += milliseconds;
  }
  return samples;
}

function sampleAt(due: number, phase: number): Sample {
  return { due, phase, wasFree: false, sent: 0, done: 0, status: 0 };
}

function phaseAt(phases: readonly Phase[], elapsed: number): number {
  let end = 0;
  return phases.findIndex(({ milliseconds }) => elapsed < (end += milliseconds));
}

interface Run {
  readonly samples: readonly Sample[];
  readonly probes: readonly Sample[];
  /** The beginning of the phase. */
  readonly begun: number;
  /** The end of all phases. */
  readonly end: number;
}

function outcomeOf({ name, milliseconds }: Phase, run: Run, phase: number): PhaseOutcome {
  const samples = run.samples.filter((sample) => sample.phase === phase);
  const probes = run.probes.filter((sample) => sample.phase === phase);
  const waited = ({ due, done }: Sample) => (done || run.end) - due;
  const waits = (some: readonly Sample[], share: number) => part(some.map(waited), share);
  const refused = samples.filter(isRejection);
  const others = samples.filter((sample) => !isRejection(sample));
  const came = (from: number, to: number) => {
    const [first, last] = [run.begun + milliseconds * from, run.begun + milliseconds * to];
    return run.samples.filter(({ done }) => done >= first && done < last);
  };
  const perSecond = (some: readonly Sample[]) => (some.length / milliseconds) * 1000;
  const answersOf = (some: readonly Sample[]) => some.filter((sample) => !isRejection(sample));
  return {
    name,
    answersPerSecond: perSecond(answersOf(came(0, 1))),
    refusalsPerSecond: perSecond(came(0, 1).filter(isRejection)),
    p50: waits(others, 0.5),
    p99: waits(others, 0.99),
    p99AtFirst: waits(answersOf(came(0, 0.2)), 0.99),
    p99AtLast: waits(answersOf(came(0.8, 1)), 0.99),
    refusedP99: waits(refused, 0.99),
    healthMost: waits(probes, 1),
    healthFailed: probes.filter((sample) => sample.done > 0 && sample.status !== 200).length,
    sentLateP99: part(
      samples.filter((sample) => sample.wasFree).map(({ sent, due }) => sent - due),
      0.99,
    ),
  };
}

function isRejection({ status }: Sample): boolean {
  return status === 503;
}

function part(numbers: readonly number[], share: number): number {
  const sorted = Float64Array.from(numbers).toSorted();
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}

/** A FIFO queue without moving its elements. */
class Queue<T> {
  private readonly items: (T | undefined)[] = [];
  private first = 0;

  get isEmpty(): boolean {
    return this.first === this.items.length;
  }

  push(item: T): void {
    this.items.push(item);
  }

  shift(): T | undefined {
    if (this.isEmpty) return undefined;
    const item = this.items[this.first];
    this.items[this.first++] = undefined;
    return item;
  }
}
