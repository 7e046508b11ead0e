import { getHeapStatistics } from 'node:v8';

/** One number of a benchmark, as it is kept and compared. */
export interface Row {
  readonly case: string;
  readonly subject: string;
  readonly value: number;
  readonly unit: 'ns' | 'ns at best' | 'bytes' | 'bytes held';
}

/** A way of doing what the case asks for. The answer is returned, so that it cannot be optimised away. */
export type Subject = () => unknown;

/** How long to measure. */
export interface Effort {
  readonly rounds: number;
  /** Of one subject in one round. */
  readonly milliseconds: number;
  /**
   * What is read: the time of day, or the time this thread had a processor, which other work on the machine takes less
   * of, but which some kernels count in steps of 4 ms. The time of day unless said otherwise.
   */
  readonly clock?: 'day' | 'processor';
}

/**
 * Measures subjects side by side: every round times each of them once, starting with another one each time.
 *
 * @returns for each subject the median of its rounds, the best of them (what a busy machine takes away least from),
 *   and the bytes one call allocates
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

/** Nanoseconds. */
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

/** Counted by the engine as it goes, so that it does not matter when the collector runs. */
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
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}

/** What the last call answered; read so that no call is in vain. */
export function lastAnswer(): unknown {
  return sink;
}
