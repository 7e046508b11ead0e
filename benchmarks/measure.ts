import { getHeapStatistics } from 'node:v8';

/** A measured value. */
export interface Row {
  readonly case: string;
  readonly subject: string;
  readonly value: number;
  readonly unit: 'ns' | 'ns at best' | 'bytes' | 'bytes held';
}

/** An implementation of a case. It returns its result, so that it cannot be optimised away. */
export type Subject = () => unknown;

/** The effort of a measurement. */
export interface Effort {
  readonly rounds: number;
  /** The milliseconds for each subject in each round. */
  readonly milliseconds: number;
  /**
   * The clock: wall-clock time (default), or thread CPU time, which other work on the machine affects less
   * but which some kernels count in steps of 4 ms.
   */
  readonly clock?: 'day' | 'processor';
}

/**
 * Measures subjects alternately. Every round times each subject once, and starts with a different subject each time.
 *
 * @returns each subject's median round, its best round (least affected by other work on the machine), and the bytes that a call
 *   allocates
 */
export function measure(name: string, subjects: Readonly<Record<string, Subject>>, effort: Effort): Row[] {
  const entries = Object.entries(subjects);
  const now = effort.clock === 'processor' ? processorTime : process.hrtime.bigint;
  const calls = entries.map(([, subject]) => callsIn(subject, effort.milliseconds, now));
  const times = entries.map((): number[] => []);
  for (let round = 0; round < effort.rounds; round++) {
    for (let step = 0; step < entries.length; step++) {
      const at = (step + round) % entries.length;
      times[at].push(nanosecondsOf(entries[at][1], calls[at], now));
    }
  }
  return entries.flatMap(([subject, call], at): Row[] => [
    { case: name, subject, value: median(times[at]), unit: 'ns' },
    { case: name, subject, value: Math.min(...times[at]), unit: 'ns at best' },
    allocated(name, subject, call, calls[at]),
  ]);
}

let sink: unknown;

/** Returns nanoseconds. */
type Clock = () => bigint;

function processorTime(): bigint {
  const { user, system } = process.threadCpuUsage();
  return BigInt(user + system) * 1000n;
}

function nanosecondsOf(subject: Subject, calls: number, now: Clock): number {
  const started = now();
  for (let call = 0; call < calls; call++) sink = subject();
  return Number(now() - started) / calls;
}

function callsIn(subject: Subject, milliseconds: number, now: Clock): number {
  let calls = 1;
  while (nanosecondsOf(subject, calls, now) * calls < milliseconds * 1e6) calls *= 2;
  return calls;
}

/** Returns the bytes that V8 counts on allocation, so that garbage collection does not matter. */
function allocated(name: string, subject: string, call: Subject, calls: number): Row {
  const before = allocatedSoFar();
  for (let at = 0; at < calls; at++) sink = call();
  const bytes = (allocatedSoFar() - before) / calls;
  return { case: name, subject, value: bytes, unit: 'bytes' };
}

function allocatedSoFar(): number {
  return Number(Reflect.get(getHeapStatistics(), 'total_allocated_bytes'));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Returns the result of the last call, so that V8 cannot optimize calls away. */
export function lastAnswer(): unknown {
  return sink;
}
