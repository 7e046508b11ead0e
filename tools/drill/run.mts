import { type Contract, Lacking } from './callers/contract.mts';
import type { Drill, Finding } from './drill.mts';
import {
  type DrillEnvironment,
  openEnvironment,
  type StartOptions,
} from './environment/drill-environment.mts';
import { hasPrometheus, startObserver } from './observer.mts';
import type { StoreName } from './environment/stores.mts';

/** The time limit for an alert. Prometheus reads metrics and evaluates rules every second, but a slow machine is late. */
const alertDeadlineMs = 30_000;

/** The result of a drill on a single store. */
export interface DrillResult extends Finding {
  readonly drill: string;
  readonly store: StoreName;
  readonly result: 'PASS' | 'FAIL' | 'SKIP';
  /** The alerts that became active; `undefined` without Prometheus. */
  readonly alerts?: readonly string[];
  /** The programs' logs, if it has failed. */
  readonly folder?: string;
  readonly seconds: number;
}

/** The parts that a drill adds to its result. */
type Found = Finding & Pick<DrillResult, 'alerts' | 'folder'>;

/** The options for running drills. */
export interface RunOptions {
  /** The `main.js` of the application. */
  readonly main: string;
  readonly contract: Contract;
  readonly isQuick: boolean;
}

/** Runs a drill on a single store. Reports an impossible step as a failure instead of throwing. */
export async function runDrill(drill: Drill, store: StoreName, options: RunOptions): Promise<DrillResult> {
  const lacking = drill.lacks?.(store);
  if (lacking !== undefined) return skipped(drill, store, lacking);
  const startedAt = performance.now();
  const outcome = await tryToRun(drill, store, options);
  if (outcome instanceof Lacking) return skipped(drill, store, outcome.message);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const result = outcome.failures.length === 0 ? 'PASS' : 'FAIL';
  return { ...resultOf(drill, store, seconds), ...outcome, result };
}

function skipped(drill: Drill, store: StoreName, lacking: string): DrillResult {
  return { ...resultOf(drill, store, 0), result: 'SKIP', failures: [`needs ${lacking}`] };
}

function resultOf({ name }: Drill, store: StoreName, seconds: number) {
  return { drill: name, store, seconds, numbers: {}, failures: [] };
}

/** Runs a drill in a new environment. A failed drill keeps its folder. */
async function tryToRun(drill: Drill, store: StoreName, options: RunOptions): Promise<Found | Lacking> {
  const environment = await openEnvironment(store, { ...options, disk: drill.disk }).catch(failureOf);
  if (environment instanceof Lacking || 'failures' in environment) return environment;
  const outcome = await observed(drill, environment).catch(failureOf);
  const hasFailed = !(outcome instanceof Lacking) && outcome.failures.length > 0;
  await environment.close(hasFailed);
  return hasFailed ? { ...outcome, folder: environment.folder } : outcome;
}

/** Runs a drill while Prometheus, if installed, watches its alerts. */
async function observed(drill: Drill, environment: DrillEnvironment): Promise<Found> {
  if (drill.fires.length === 0 || !hasPrometheus()) return drill.run(environment);
  const observer = await startObserver(environment.metricsPort);
  try {
    const start = async (options?: StartOptions) => {
      const program = await environment.start(options);
      await observer.untilRead();
      return program;
    };
    const finding = await drill.run({ ...environment, start });
    const missed = await observer.untilSeen(drill.fires, alertDeadlineMs);
    const failures = [...finding.failures, ...missed.map((name) => `the alert ${name} becomes active`)];
    return { ...finding, failures, alerts: drill.fires.filter((name) => !missed.includes(name)) };
  } finally {
    await observer.stop();
  }
}

function failureOf(error: unknown): Finding | Lacking {
  if (error instanceof Lacking) return error;
  return { numbers: {}, failures: [error instanceof Error ? error.message : String(error)] };
}
