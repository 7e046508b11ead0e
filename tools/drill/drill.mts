import type { DrillEnvironment } from './environment/drill-environment.mts';
import type { StoreName } from './environment/stores.mts';

/** A fault that production has, caused on purpose: what is done, and what must hold meanwhile and after. */
export interface Drill {
  /** As on the command line. */
  readonly name: string;
  /** What is done, as a sentence without its full stop. */
  readonly action: string;
  /** What must hold, as a sentence without its full stop. */
  readonly expectation: string;
  /** Where it can happen. */
  readonly stores: readonly StoreName[];
  /** The alerts of `deploy/observe/alerts.yml` that it fires; it fails if one does not. */
  readonly fires: readonly string[];
  /** The size of the disk that the store has to itself, such as `32m`; default that of the machine. */
  readonly disk?: Readonly<Record<StoreName, string>>;
  /** What this machine lacks for it, as the rest of `needs …`; `undefined` if it can run. */
  readonly lacks?: (store: StoreName) => string | undefined;
  readonly run: (environment: DrillEnvironment) => Promise<Finding>;
}

/** What a drill has found. */
export interface Finding {
  /** What was counted and measured, by its description. */
  readonly numbers: Readonly<Record<string, number | string>>;
  /** What did not hold; empty if it passes. */
  readonly failures: readonly string[];
}

/** @param claims by its sentence, whether it holds */
export function finding(numbers: Finding['numbers'], claims: Readonly<Record<string, boolean>>): Finding {
  const failures = Object.keys(claims).filter((claim) => !claims[claim]);
  return { numbers, failures };
}
