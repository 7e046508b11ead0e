import { setTimeout as pause } from 'node:timers/promises';
import type { Target } from './target.mts';
import type { Answer, Attempt } from '../wire/exchange.mts';

/** What a baseline caller measured in a period. */
export interface Measured {
  /** The share of requests that were answered as they should be, from 0 to 1. */
  readonly success: number;
  /** In milliseconds. */
  readonly p99: number;
  readonly count: number;
}

/** Sends one baseline request. */
export type Probe = () => Promise<Answer>;

/** Under attack the baseline caller's figures stay within this factor of those without. */
const factor = 2;
/** For the first requests of an attack to arrive. */
const settleMs = 300;
const pauseMs = 20;

/** Sends baseline requests one after the other until the time is over; at least three. */
export async function measure(probe: Probe, milliseconds: number): Promise<Measured> {
  const answers: Answer[] = [];
  const end = performance.now() + milliseconds;
  while (performance.now() < end || answers.length < 3) {
    answers.push(await probe());
    await pause(pauseMs);
  }
  const times = answers.map((one) => one.milliseconds).toSorted((a, b) => a - b);
  return {
    success: answers.filter(({ status }) => status >= 200 && status < 300).length / answers.length,
    p99: times[Math.ceil(times.length * 0.99) - 1] ?? 0,
    count: answers.length,
  };
}

/** What is compared. */
export interface Comparison {
  readonly title: string;
  readonly probe: Probe;
  /** Calls back when it is under way, and runs until its signal is aborted. */
  readonly attack: (signal: AbortSignal, begun: () => void) => Promise<unknown>;
  /** The request that is shown for a failure. */
  readonly shown: Attempt;
  /** Instead of that of the effort, if it is longer. */
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
    // What an attack left behind may still be at work when the next period without one begins.
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
