import type { Figures } from './kernel/figures.mts';
import { type Result, simulate } from './simulate.mts';
import type { Subject } from './subjects/subject.mts';

/** The fleet sizes in turn. */
const FLEETS = [3, 10, 30, 100, 1_000] as const;

/** A series of simulations for several subjects, in turn. */
export interface Series {
  readonly subjects: readonly Subject[];
  /** The hours that programs live, over all simulations. Each subject has the same share. */
  readonly hours: number;
  /** The seed for the first simulation of each subject. Each later simulation has the next seed. */
  readonly seed: number;
  /** The fleet size that replaces the sizes in turn. */
  readonly programs?: number;
  readonly figures: Figures;
}

/** Simulates fleets in all sizes until the hours are over. A violation ends the simulations of its subject. */
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
