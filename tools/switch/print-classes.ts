import type { ClassReport, DirectionReport, InputFacts } from './class-report';
import type { ClassesMessage } from './classes-process';

/** The classes' report, for people. */
export function printClasses({ reports, failures }: ClassesMessage): string {
  const lines = [
    ...reports.flatMap(linesOf),
    ...failures.map((failure) => `not loaded: ${failure}`),
    ...(reports.length === 0 ? ['no exported class with decorators was found'] : []),
    ...slowerThanBefore(reports),
  ];
  return `${lines.join('\n')}\n`;
}

/** Returns a line that names the classes that the engine makes slower. The list is empty if no class is slower. */
function slowerThanBefore(reports: readonly ClassReport[]): string[] {
  const slower = reports.flatMap(({ name, input, output }) => [
    ...(input && isSlower(input) ? [`${name} (input)`] : []),
    ...(isSlower(output) ? [`${name} (output)`] : []),
  ]);
  return slower.length === 0 ? [] : [`slower than before: ${slower.join(', ')}`];
}

/** The tolerance factor, which exceeds the difference between two equal functions. */
const TOLERANCE = 1.1;

function isSlower({ times }: DirectionReport): boolean {
  return times !== undefined && times.after > TOLERANCE * times.before;
}

function linesOf({ name, input, output }: ClassReport): string[] {
  return [
    name,
    ...(input
      ? [
          `  input   ${compiledOf(input)}, ${rulesOf(input)}; ${timesOf(input, input.isValid ? 'valid' : 'refused')}`,
        ]
      : []),
    ...(input?.slow ?? []).map(
      ({ property, rule, why }) => `          ${property} ${rule}: called as by the library, ${why}`,
    ),
    `  output  ${compiledOf(output)}; ${timesOf(output, 'as JSON')}`,
  ];
}

function compiledOf({ why }: DirectionReport): string {
  return why === undefined ? 'compiled' : `not compiled: ${why}`;
}

function rulesOf({ rules }: InputFacts): string {
  return rules === 1 ? '1 rule' : `${rules} rules`;
}

function timesOf({ times, untimed }: DirectionReport, what: string): string {
  if (!times) return `not timed: ${untimed ?? ''}`;
  const { before, after } = times;
  const ratio = isSlower({ times, untimed, why: undefined }) ? 'slower' : `${(before / after).toFixed(1)}×`;
  return `${what}: ${before.toFixed(1)} µs → ${after.toFixed(1)} µs, ${ratio}`;
}
