import { inTransaction, type Queries } from '@app/persistence';
import { useAccountsDatabase } from '../../testing/accounts-database';
import { mailSubject } from './attempt-subjects';
import { AttemptsStore } from './attempts.store';
import { Limiter } from './limiter';

const HOUR = 3_600_000;
const start = new Date('2026-11-23T12:00:00Z');

describe('the limit of mails to an e-mail', () => {
  const store = useAccountsDatabase();
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: start }));
  afterEach(() => void vi.useRealTimers());

  const limiter = () => new Limiter({ limit: 2, windowSeconds: 3600 }, new AttemptsStore(store.db));
  const count = (kind: string, to: string, ip: string, db?: Queries) =>
    limiter().countAt(mailSubject(kind, to), ip, db);
  const email = 'Ada@example.com';

  it('is of one address and one spelling of the e-mail as of another, until an hour has passed', async () => {
    const counted = [];
    for (const spelling of [email, 'ada@EXAMPLE.com', email])
      counted.push(await count('link', spelling, '192.0.2.1'));
    expect(counted).toEqual([0, 0, HOUR]);
    expect(await count('other', email, '192.0.2.1')).toBe(0);
    expect(await count('link', 'b@example.com', '192.0.2.1')).toBe(0);
    vi.setSystemTime(start.getTime() + HOUR);
    expect(await count('link', email, '192.0.2.1')).toBe(0);
  });

  it('leaves the owner at another address the same number, whatever one address does', async () => {
    for (let times = 0; times < 100; times += 1) await count('link', email, '192.0.2.1');
    expect(await count('link', email, '192.0.2.2')).toBe(0);
    expect(await count('link', email, '192.0.2.2')).toBe(0);
    expect(await count('link', email, '192.0.2.2')).toBe(HOUR);
  });

  it('is four times as many over all addresses', async () => {
    for (let host = 1; host <= 8; host += 1) expect(await count('link', email, `192.0.2.${host}`)).toBe(0);
    expect(await count('link', email, '192.0.2.9')).toBe(HOUR);
  });

  it('does not count a mail whose transaction is rolled back', async () => {
    for (let times = 0; times < 3; times += 1) {
      const refused = inTransaction(store.db, async (db) => {
        expect(await count('link', email, '192.0.2.1', db)).toBe(0);
        throw new Error('refused');
      });
      await expect(refused).rejects.toThrow('refused');
    }
    expect(await count('link', email, '192.0.2.1')).toBe(0);
  });
});
