import { setTimeout as pause } from 'node:timers/promises';
import type { Target } from './target.mts';
import type { Answer, Attempt } from '../wire/exchange.mts';

/** The measurements of a baseline caller in a period. */
export interface Measured {
  /** The share of requests that were answered as they should be, from 0 to 1. */
  readonly success: number;
  /** The 99th percentile in milliseconds. */
  readonly p99: number;
  readonly count: number;
}

/** A function that sends a single baseline request. */
export type Probe = () => Promise<Answer>;

/** The factor by which the baseline figures may get worse during the attack. */
const factor = 2;
/** The time until the first requests of an attack arrive. */
const settleMs = 300;
const pauseMs = 20;

/** Sends baseline requests in turn until the time is over, but at least three. */
export async function measure(probe: Probe, milliseconds: number): Promise<Measured> {
  const answers: Answer[] = [];
  const end = performance.now() + milliseconds;
  while (performance.now() < end || answers.length < 3) {
    answers.push(await probe());
    await pause(pauseMs);
  }
  const times = answers.map((answer) => answer.milliseconds).toSorted((a, b) => a - b);
  return {
    success: answers.filter(({ status }) => status >= 200 && status < 300).length / answers.length,
    p99: times[Math.ceil(times.length * 0.99) - 1] ?? 0,
    count: answers.length,
  };
}

/** A comparison between a baseline caller with and without an attack. */
export interface Comparison {
  readonly title: string;
  readonly probe: Probe;
  /** Calls back when it is under way, and runs until its signal is aborted. */
  readonly attack: (signal: AbortSignal, begun: () => void) => Promise<unknown>;
  /** The request that is shown for a failure. */
  readonly shown: Attempt;
  /** The value that replaces `unnoticedMs` from the effort, if it is longer. */
  readonly unnoticedMs?: number;
}

/** Measures a baseline caller without and under attack, and compares; a failure is measured again. */
export async function compareBaseline(target: Target, comparison: Comparison): Promise<void> {
  const { findings } = target;
  const { title, shown } = comparison;
  const { tries } = target.effort;
  let problems: readonly string[] = [];
  let best = Infinity;
  for (let count = 1; count <= tries; count += 1) {
    const { idle: measured, attacked } = await measureBoth(target, comparison);
    // Work that an attack left behind may still run when the next idle period begins.
    best = Math.min(best, measured.p99);
    const idle = { ...measured, p99: best };
    const unnoticedMs = Math.max(target.effort.unnoticedMs, comparison.unnoticedMs ?? 0);
    problems = problemsOf(idle, attacked, unnoticedMs);
    if (problems.length > 0 && count < tries) continue;
    const times = `${idle.p99.toFixed(0)} → ${attacked.p99.toFixed(0)} ms`;
    findings.note(`${title}: p99 ${times}, success ${percent(idle)} → ${percent(attacked)}`);
    break;
  }
  findings.expect(problems.length === 0, `${title}: ${problems.join(', ')}`, shown);
}

interface Periods {
  readonly idle: Measured;
  readonly attacked: Measured;
}

async function measureBoth({ effort }: Target, { probe, attack }: Comparison): Promise<Periods> {
  const idle = await measure(probe, effort.periodMs / 2);
  const control = new AbortController();
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const attacking = attack(control.signal, resolve);
  await Promise.race([begun, attacking]);
  await pause(settleMs);
  const attacked = await measure(probe, effort.periodMs);
  control.abort();
  await attacking;
  return { idle, attacked };
}

function problemsOf(idle: Measured, attacked: Measured, unnoticedMs: number): string[] {
  const isSlow = attacked.p99 > Math.max(unnoticedMs, idle.p99 * factor);
  const isRefused = idle.success === 0 || attacked.success * factor < idle.success;
  return [
    ...(isSlow
      ? [`the baseline caller's p99 rose from ${idle.p99.toFixed(0)} to ${attacked.p99.toFixed(0)} ms`]
      : []),
    ...(isRefused
      ? [
          `${percent(attacked)} of the baseline caller's requests succeeded (without the attack: ${percent(idle)})`,
        ]
      : []),
  ];
}

function percent({ success }: Measured): string {
  return `${Math.round(success * 100)} %`;
}
