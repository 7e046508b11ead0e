import { readSchema } from './kernel/engine.mts';
import type { Figures } from './kernel/figures.mts';
import { type Violation, World } from './kernel/world.mts';
import type { Subject } from './subjects/subject.mts';

/** A single simulation of a fleet. */
export interface Run {
  readonly seed: number;
  readonly programs: number;
  readonly figures: Figures;
  /** The name of a planted fault. */
  readonly planted?: string;
}

/** The result of a simulation. */
export interface Result {
  readonly subject: string;
  readonly seed: number;
  readonly programs: number;
  /** The simulated hours until the first violation. */
  readonly hours: number;
  readonly events: number;
  readonly faults: number;
  readonly checks: number;
  readonly violation: Violation | undefined;
}

/** Simulates a fleet, until the first violation. The same run has the same result. */
export async function simulate(subject: Subject, run: Run): Promise<Result> {
  const { planted, seed, programs } = run;
  const alter = subject.faults.find(({ name }) => name === planted)?.alter;
  const world = new World({ ...run, alter }, await readSchema());
  try {
    subject.begin(world, planted);
    await world.events.run(minutesOf(subject, programs) * 60_000);
    const { events, faults, checks, violation } = world;
    const hours = events.now / 3_600_000;
    return { subject: subject.name, seed, programs, hours, events: events.count, faults, checks, violation };
  } finally {
    world.server.engine.close();
  }
}

function minutesOf({ programHours, leastMinutes }: Subject, programs: number): number {
  return Math.max(leastMinutes, (programHours / programs) * 60);
}
