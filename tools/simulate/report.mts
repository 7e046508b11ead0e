import { timeOf } from './kernel/world.mts';
import type { Result } from './simulate.mts';

/** The simulations of a subject together. */
interface Sum {
  readonly subject: string;
  readonly simulations: number;
  /** The number of programs in the largest fleet. */
  readonly programs: number;
  readonly programHours: number;
  readonly fleetHours: number;
  readonly events: number;
  readonly faults: number;
  readonly checks: number;
  readonly violations: number;
}

/** Sums up the results for each subject. */
export function sumUp(results: readonly Result[]): readonly Sum[] {
  return [...Map.groupBy(results, ({ subject }) => subject)].map(([subject, ofSubject]) => {
    const total = (value: (result: Result) => number) =>
      ofSubject.reduce((sum, result) => sum + value(result), 0);
    return {
      subject,
      simulations: ofSubject.length,
      programs: Math.max(...ofSubject.map(({ programs }) => programs)),
      programHours: Math.round(total(({ hours, programs }) => hours * programs)),
      fleetHours: Math.round(total(({ hours }) => hours)),
      events: total(({ events }) => events),
      faults: total(({ faults }) => faults),
      checks: total(({ checks }) => checks),
      violations: total(({ violation }) => (violation === undefined ? 0 : 1)),
    };
  });
}

/** Prints a line for each subject, and a line for the total. */
export function printSums(sums: readonly Sum[]): void {
  for (const { subject, ...sum } of sums)
    console.log(
      `${subject.padEnd(12)} ${count(sum.simulations)} simulations of up to ${count(sum.programs)} programs, ${count(sum.programHours)} hours of programs in ${count(sum.fleetHours)} of fleets, ${count(sum.events)} events, ${count(sum.faults)} faults, ${count(sum.checks)} checks, ${count(sum.violations)} violations`,
    );
  const hours = sums.reduce((sum, { programHours }) => sum + programHours, 0);
  const violations = sums.reduce((sum, entry) => sum + entry.violations, 0);
  console.log(`${count(hours)} simulated hours, ${count(violations)} violations`);
}

/** Describes the failed claim, the command that repeats it, and the preceding events. */
export function describeViolation({ subject, programs, violation }: Result): string {
  if (violation === undefined) return '';
  const { seed, atMs, what, trace } = violation;
  return [
    ...trace,
    `VIOLATION  ${subject}, seed ${seed}, ${programs} programs, at ${timeOf(atMs)}: ${what}`,
    `again: npm run simulate -- --only ${subject} --seed ${seed} --programs ${programs}`,
  ].join('\n');
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}
