/** One number of a benchmark, as it is kept and compared. */
export interface Row {
  readonly case: string;
  readonly subject: string;
  readonly value: number;
  readonly unit: 'ns' | 'ns at best' | 'bytes';
}

/** A way of doing what the case asks for. The answer is returned, so that it cannot be optimised away. */
export type Subject = () => unknown;

/** How long to measure. */
export interface Effort {
  readonly rounds: number;
  /** Of one subject in one round. */
  readonly milliseconds: number;
}

/**
 * Measures subjects side by side: every round times each of them once, starting with another one each time.
 *
 * @returns for each subject the median of its rounds, the best of them (what a busy machine takes away least from),
 *   and the bytes one call allocates
 */
export function measure(name: string, subjects: Readonly<Record<string, Subject>>, effort: Effort): Row[] {
  const entries = Object.entries(subjects);
  const calls = entries.map(([, subject]) => callsIn(subject, effort.milliseconds));
  const times = entries.map((): number[] => []);
  for (let round = 0; round < effort.rounds; round++) {
    for (let step = 0; step < entries.length; step++) {
      const at = (step + round) % entries.length;
      times[at].push(nanosecondsOf(entries[at][1], calls[at]));
    }
  }
  return entries.flatMap(([subject, call], at): Row[] => [
    { case: name, subject, value: median(times[at]), unit: 'ns' },
    { case: name, subject, value: Math.min(...times[at]), unit: 'ns at best' },
    ...allocated(name, subject, call, calls[at]),
  ]);
}

let sink: unknown;

function nanosecondsOf(subject: Subject, calls: number): number {
  const started = process.hrtime.bigint();
  for (let call = 0; call < calls; call++) sink = subject();
  return Number(process.hrtime.bigint() - started) / calls;
}

function callsIn(subject: Subject, milliseconds: number): number {
  let calls = 1;
  while (nanosecondsOf(subject, calls) * calls < milliseconds * 1e6) calls *= 2;
  return calls;
}

/** Needs `--expose-gc`, and a young generation in which the calls fit: `--max-semi-space-size=512`. */
function allocated(name: string, subject: string, call: Subject, calls: number): Row[] {
  if (!globalThis.gc) return [];
  const few = Math.min(calls, 200);
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  for (let at = 0; at < few; at++) sink = call();
  const bytes = (process.memoryUsage().heapUsed - before) / few;
  return [{ case: name, subject, value: bytes, unit: 'bytes' }];
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}

/** What the last call answered; read so that no call is in vain. */
export function lastAnswer(): unknown {
  return sink;
}
