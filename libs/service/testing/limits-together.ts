import { systemTiming } from '@app/persistence';
import fc from 'fast-check';
import type { RateCounts } from '../src/rate-limit/rate-counts';
import { RateLimits } from '../src/rate-limit/rate-limits.service';

const rate = { limit: 10, windowSeconds: 3600 };
const programs = [0, 1, 2] as const;
const now = Date.now();
/** The timing, in which counts are exchanged only when a test asks for it. */
const timing = { ...systemTiming, wall: () => now, every: () => () => {} };

/**
 * The rounds. In each round every program receives requests from the same caller, and then the programs exchange their counts in
 * some order, twice at once.
 */
const rounds = fc.array(
  fc.record({
    requests: fc.tuple(...programs.map(() => fc.nat({ max: 8 }))),
    order: fc.shuffledSubarray([...programs], { minLength: programs.length }),
  }),
  { minLength: 1, maxLength: 8 },
);

/** Opens the limits of a program that exchanges counts when a test asks for it. */
export function limitsWith(counts: RateCounts): RateLimits {
  const limits = new RateLimits(undefined, { openCounts: () => counts, timing, report: fail });
  limits.windowOf('default', rate);
  limits.onApplicationBootstrap();
  return limits;
}

/**
 * Tests the bound for several programs with the same limit: after the limit is reached and counts are exchanged, each program
 * refuses further requests.
 */
export function limitsTogether(openCounts: () => RateCounts): void {
  let policies = 0;
  it('accept more than the limit for one exchange at most, and never refuse before', async () => {
    const counts = programs.map(openCounts);
    await fc.assert(
      fc.asyncProperty(rounds, async (plan) => {
        policies += 1;
        const limits = counts.map(limitsWith);
        const windows = limits.map((program) => program.windowOf(`policy ${policies}`, rate));
        let accepted = 0;
        const wrong: string[] = [];
        const wentOver = new Set<number>();
        for (const { requests, order } of plan) {
          const isReached = accepted >= rate.limit;
          for (const program of programs) {
            const results = Array.from(
              { length: requests[program] ?? 0 },
              () => windows[program]?.take('account:7') ?? 0,
            );
            const own = results.filter((left) => left >= 0).length;
            accepted += own;
            if (own < results.length && accepted < rate.limit) wrong.push(`${program} refuses too early`);
            if (!isReached || own === 0) continue;
            if (wentOver.has(program)) wrong.push(`${program} accepts more after an exchange`);
            wentOver.add(program);
          }
          for (const program of order)
            await Promise.all([limits[program], limits[program]].map((of) => of?.exchange()));
        }
        expect(wrong).toEqual([]);
      }),
      { numRuns: 60 },
    );
    for (const store of counts) store.close?.();
  });
}

function fail(error: unknown): never {
  throw error;
}
