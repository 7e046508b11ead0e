import * as fc from 'fast-check';
import { useAccountsDatabase } from '../../testing/accounts-database';
import { type LimitPolicy, waitOf } from './limit-policy';
import { AttemptsStore } from './attempts.store';

const now = new Date('2026-03-01T12:00:00Z');
const SECOND = 1000;

const policies = fc
  .record({
    free: fc.integer({ min: 1, max: 3 }),
    waits: fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 4 }),
    since: fc.constantFrom('startedAt' as const, 'latestAt' as const),
    beyond: fc.integer({ min: 0, max: 30 }),
  })
  .map(({ free, waits: [first = 1, ...others], since, beyond }): LimitPolicy => ({
    free,
    waits: [first * SECOND, ...others.map((wait) => wait * SECOND)],
    since,
    forgetAfter: (Math.max(first, ...others) + beyond) * SECOND,
  }));

/** Times around now on full seconds, so that the boundaries are tested. */
const rows = fc.record({
  count: fc.integer({ min: 1, max: 8 }),
  started: fc.integer({ min: -130, max: 130 }),
  lasted: fc.integer({ min: 0, max: 60 }),
});

describe('the store of attempts', () => {
  const store = useAccountsDatabase();
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now }));
  afterEach(() => void vi.useRealTimers());

  it('permits what the policy permits, and restarts expired counters', async () => {
    const attempts = new AttemptsStore(store.db);
    let serial = 0;
    await fc.assert(
      fc.asyncProperty(policies, rows, async (policy, { count, started, lasted }) => {
        const startedAt = new Date(now.getTime() - started * SECOND);
        const row = {
          subject: `subject ${(serial += 1)}`,
          count,
          startedAt,
          latestAt: new Date(startedAt.getTime() + lasted * SECOND),
        };
        await store.db.insertInto('attempt').values(row).execute();
        const age = now.getTime() - row[policy.since].getTime();
        const counted = age >= policy.forgetAfter ? 1 : count + 1;
        const mayTry = waitOf(row, policy, now.getTime()) === 0;
        expect(await attempts.increment(row.subject, policy)).toBe(mayTry ? counted : undefined);
        const [after] = await attempts.read([row.subject]);
        expect(after?.count).toBe(mayTry ? counted : count);
      }),
      { numRuns: 300 },
    );
  });

  it('deletes the oldest in batches, and no newer ones', async () => {
    const attempts = new AttemptsStore(store.db);
    const policy = { free: 1, waits: [SECOND], since: 'latestAt', forgetAfter: SECOND } as const;
    for (const subject of ['a', 'b', 'c']) await attempts.increment(subject, policy);
    expect(await attempts.deleteOlder(now, 2)).toBe(0);
    const later = new Date(now.getTime() + 1);
    expect(await attempts.deleteOlder(later, 2)).toBe(2);
    expect(await attempts.deleteOlder(later, 2)).toBe(1);
  });
});
