import type { DrillEnvironment } from './environment/drill-environment.mts';
import type { StoreName } from './environment/stores.mts';

/** A production fault that a drill causes on purpose, with its expectation during and after the fault. */
export interface Drill {
  /** The name on the command line. */
  readonly name: string;
  /** The action as a sentence without its full stop. */
  readonly action: string;
  /** The expectation as a sentence without its full stop. */
  readonly expectation: string;
  /** The stores on which the fault can happen. */
  readonly stores: readonly StoreName[];
  /** The alerts in `deploy/observe/alerts.yml` that the drill must fire. A missing alert fails the drill. */
  readonly fires: readonly string[];
  /** The size of the separate store disk, such as `32m`. The default is the machine's disk. */
  readonly disk?: Readonly<Record<StoreName, string>>;
  /** Returns the missing requirement as the rest of `needs …`; `undefined` if the drill can run. */
  readonly lacks?: (store: StoreName) => string | undefined;
  readonly run: (environment: DrillEnvironment) => Promise<Finding>;
}

/** A drill's finding. */
export interface Finding {
  /** The counts and measurements, by description. */
  readonly numbers: Readonly<Record<string, number | string>>;
  /** The expectations that failed; empty if the drill passes. */
  readonly failures: readonly string[];
}

/** Makes a finding. @param claims whether each claim holds, by its sentence */
export function finding(numbers: Finding['numbers'], claims: Readonly<Record<string, boolean>>): Finding {
  const failures = Object.keys(claims).filter((claim) => !claims[claim]);
  return { numbers, failures };
}
