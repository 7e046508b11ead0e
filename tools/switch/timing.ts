/** The time per call in microseconds. */
export interface Times {
  readonly before: number;
  readonly after: number;
}

/** The number of rounds in which both sides are measured alternately. */
const ROUNDS = 5;
const MILLISECONDS = 4;

/** Measures two functions in turns, after some calls that let the engine of JavaScript compile them. */
export function compareTimes(before: () => unknown, after: () => unknown): Times {
  const sides = [before, after].map((run) => ({ run, count: callsWithin(run), times: [] as number[] }));
  for (let round = 0; round < ROUNDS; round++)
    for (const { run, count, times } of sides) times.push(timeOf(run, count));
  const [least = 0, otherLeast = 0] = sides.map(({ times }) => Math.min(...times));
  return { before: least, after: otherLeast };
}

/** The number of calls that take some milliseconds. */
function callsWithin(run: () => unknown): number {
  const end = performance.now() + 2 * MILLISECONDS;
  let count = 0;
  while (performance.now() < end || count < 10) {
    run();
    count += 1;
  }
  return Math.max(1, Math.ceil(count / 2));
}

function timeOf(run: () => unknown, count: number): number {
  const start = performance.now();
  for (let call = 0; call < count; call++) run();
  return ((performance.now() - start) * 1000) / count;
}
