import type { Figures } from './kernel/figures.mts';
import { type Result, simulate } from './simulate.mts';
import type { Subject } from './subjects/subject.mts';

/** Sizes of the fleets, in turn. */
const FLEETS = [3, 10, 30, 100, 1_000] as const;

/** Simulations of several subjects, one after the other. */
export interface Series {
  readonly subjects: readonly Subject[];
  /** Hours that programs have lived, over all simulations; each subject has the same share. */
  readonly hours: number;
  /** Of the first simulation of each subject; the next one has the next seed. */
  readonly seed: number;
  /** Instead of several sizes. */
  readonly programs?: number;
  readonly figures: Figures;
}

/** Simulates fleets of all sizes until the hours are over. A violation ends the simulations of its subject. */
export async function* simulateSeries(series: Series): AsyncGenerator<Result> {
  const { subjects, hours, figures } = series;
  for (const subject of subjects) {
    for (let [left, at] = [hours / subjects.length, 0]; left > 0; at += 1) {
      const programs = series.programs ?? FLEETS[at % FLEETS.length] ?? 1;
      const result = await simulate(subject, { seed: series.seed + at, programs, figures });
      yield result;
      if (result.violation !== undefined) break;
      left -= result.hours * programs;
    }
  }
}
