import type { Drill, Finding } from './drill.mts';
import { openGround } from './ground.mts';
import { hasPrometheus, startObserver } from './observer.mts';
import type { StoreName } from './stores.mts';

/** Rules are evaluated every second, on what is read every second. */
const alertDeadlineMs = 10_000;

/** What became of a drill on one store. */
export interface DrillResult extends Finding {
  readonly drill: string;
  readonly store: StoreName;
  readonly result: 'PASS' | 'FAIL' | 'SKIP';
  /** The alerts that became active; `undefined` without Prometheus. */
  readonly alerts?: readonly string[];
  readonly seconds: number;
}

/** What drills run with. */
export interface RunOptions {
  /** The `main.js` of `api`. */
  readonly main: string;
  readonly isQuick: boolean;
}

/** Runs a drill on one store. Does not throw: what it cannot do is a failure. */
export async function runDrill(drill: Drill, store: StoreName, options: RunOptions): Promise<DrillResult> {
  const lacking = drill.lacks?.(store);
  if (lacking !== undefined)
    return { ...resultOf(drill, store, 0), result: 'SKIP', failures: [`needs ${lacking}`] };
  const startedAt = performance.now();
  const found = await tryToRun(drill, store, options);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const result = found.failures.length === 0 ? 'PASS' : 'FAIL';
  return { ...resultOf(drill, store, seconds), ...found, result };
}

function resultOf({ name }: Drill, store: StoreName, seconds: number) {
  return { drill: name, store, seconds, numbers: {}, failures: [] };
}

async function tryToRun(
  drill: Drill,
  store: StoreName,
  options: RunOptions,
): Promise<Finding & Pick<DrillResult, 'alerts'>> {
  const stops: (() => Promise<void>)[] = [];
  try {
    const ground = await openGround(drill, store, options);
    stops.push(ground.close);
    if (drill.fires.length === 0 || !hasPrometheus()) return await drill.run(ground);
    const observer = await startObserver(ground.metricsPort);
    stops.push(observer.stop);
    const found = await drill.run(ground);
    const missed = await observer.untilSeen(drill.fires, alertDeadlineMs);
    const failures = [...found.failures, ...missed.map((name) => `the alert ${name} becomes active`)];
    return { ...found, failures, alerts: drill.fires.filter((name) => !missed.includes(name)) };
  } catch (error) {
    return { numbers: {}, failures: [error instanceof Error ? error.message : String(error)] };
  } finally {
    for (const stop of stops) await stop();
  }
}
