import { useMigratedDatabase } from '@app/persistence/testing';
import fc from 'fast-check';
import { ValkeyServer, valkeyProgram } from '../../testing/valkey-server';
import { librarySchemas } from '../schema';
import { CountExchange, type RateCounts } from './count-exchange';
import { RateCountsStore } from './rate-counts.store';
import { RateWindow } from './rate-window';
import { ValkeyCounts } from './valkey-counts';

const rate = { limit: 10, windowSeconds: 3600 };
const programs = [0, 1, 2] as const;
const now = Date.now();

/** In each round every program has some requests of one caller, and then they exchange their counts in some order, twice at once. */
const rounds = fc.array(
  fc.record({
    requests: fc.tuple(...programs.map(() => fc.nat({ max: 8 }))),
    order: fc.shuffledSubarray([...programs], { minLength: programs.length }),
  }),
  { minLength: 1, maxLength: 8 },
);

const fail = (error: unknown): never => {
  throw error;
};

/** The bound of the limits of several programs: an exchange after the limit was reached, each accepts nothing more. */
function limitsTogether(openCounts: () => RateCounts): void {
  let policies = 0;
  it('accept more than the limit for one exchange at most, and never refuse before', async () => {
    const counts = programs.map(openCounts);
    await fc.assert(
      fc.asyncProperty(rounds, async (given) => {
        policies += 1;
        const windows = programs.map(() => new RateWindow(`policy ${policies}`, rate, () => now));
        const exchanges = windows.map((window, index) => {
          const own = counts[index];
          if (own === undefined) throw new TypeError('each program has its counts');
          return new CountExchange({ windows: [window] }, own, fail);
        });
        let accepted = 0;
        const wrong: string[] = [];
        const wentOver = new Set<number>();
        for (const { requests, order } of given) {
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
          for (const program of order) {
            const exchange = exchanges[program];
            await Promise.all([exchange?.run(), exchange?.run()]);
          }
        }
        expect(wrong).toEqual([]);
      }),
      { numRuns: 60 },
    );
    for (const one of counts) one.close?.();
  });
}

describe('programs that add up their counts in the database', () => {
  const database = useMigratedDatabase(librarySchemas);
  limitsTogether(() => new RateCountsStore(database.db));
});

describe.runIf(valkeyProgram)(
  `programs that add up their counts on Valkey${valkeyProgram ? '' : ' (needs redis-server in the path)'}`,
  () => {
    let server: ValkeyServer;
    beforeAll(async () => (server = await ValkeyServer.start()));
    afterAll(() => server.stop());
    limitsTogether(() => {
      const url = `redis://127.0.0.1:${server.port}`;
      return new ValkeyCounts(url, (error) => error && fail(error));
    });
  },
);
