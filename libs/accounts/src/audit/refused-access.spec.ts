import { ForbiddenError, InsufficientScopeError } from '@app/auth';
import { useAccountsDatabase } from '../../testing/accounts-database';
import { AuditLog } from './audit-log';
import { RefusedAccessLog } from './refused-access';

const PERIOD_MS = 60_000;
const [admin, scope] = [new ForbiddenError('admin'), new InsufficientScopeError(['write'])];

describe('the log of refused access', () => {
  const store = useAccountsDatabase();
  const onFailure = vi.fn<(error: unknown) => void>();
  let audit: AuditLog;
  let log: RefusedAccessLog;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    onFailure.mockClear();
    audit = new AuditLog(store.db, 'api');
    log = new RefusedAccessLog(audit, onFailure);
    log.start();
  });
  afterEach(async () => {
    await log.stop();
    vi.useRealTimers();
  });

  const refuse = (userId: number, error: unknown = admin) =>
    log.record({ caller: { userId }, error, route: 'UsersController.list', ip: '192.0.2.1' });
  /** Oldest first; `stop` writes what is pending. */
  const events = async () => {
    await log.stop();
    const rows = await audit.list({ limit: 100, offset: 0 });
    return rows.map(({ accountId, detail }) => Object.assign(JSON.parse(detail), { accountId })).toReversed();
  };

  it('has the first of a minute, and the number of the others in one event', async () => {
    for (let times = 0; times < 1000; times += 1) refuse(1);
    const route = 'UsersController.list';
    expect(await events()).toEqual([
      { accountId: 1, code: 'forbidden', route },
      { accountId: 1, code: 'forbidden', route, times: 999 },
    ]);
  });

  it('begins anew after a minute, without an event for nothing', async () => {
    refuse(2);
    vi.advanceTimersByTime(PERIOD_MS);
    refuse(2);
    vi.advanceTimersByTime(PERIOD_MS);
    expect((await events()).filter(({ accountId }) => accountId === 2)).toHaveLength(2);
  });

  it('counts accounts and errors apart', async () => {
    for (const userId of [3, 4, 3, 4]) for (const error of [admin, scope]) refuse(userId, error);
    const counted = (await events()).filter(({ accountId }) => accountId === 3 || accountId === 4);
    expect(counted.map(({ accountId, code, times }) => [accountId, code, times])).toEqual([
      [3, 'forbidden', undefined],
      [3, 'insufficient-scope', undefined],
      [4, 'forbidden', undefined],
      [4, 'insufficient-scope', undefined],
      [3, 'forbidden', 1],
      [3, 'insufficient-scope', 1],
      [4, 'forbidden', 1],
      [4, 'insufficient-scope', 1],
    ]);
  });

  it('names callers without an account by their issuer', async () => {
    const caller = { issuer: 'https://id.example.com', subject: 'ada' };
    log.record({ caller, error: admin, route: 'MachinesController.run', ip: '192.0.2.1' });
    expect((await events()).at(-1)).toEqual({
      accountId: null,
      code: 'forbidden',
      route: 'MachinesController.run',
      ...caller,
    });
  });

  it('counts ten thousand callers at once, and no more', async () => {
    const record = vi.spyOn(audit, 'record').mockResolvedValue();
    for (let userId = 1; userId <= 10_050; userId += 1) refuse(userId);
    await log.stop();
    expect(record).toHaveBeenCalledTimes(10_000);
  });

  it('reports once that a minute could not be recorded, and goes on', async () => {
    for (const userId of [5, 5, 6, 6]) refuse(userId);
    await log.stop();
    const record = vi.spyOn(audit, 'record').mockRejectedValue(new Error('read-only'));
    for (const userId of [5, 5, 6, 6]) refuse(userId);
    await log.stop();
    expect(onFailure).toHaveBeenCalledTimes(3);
    record.mockRestore();
    refuse(7);
    expect((await events()).at(-1)).toMatchObject({ accountId: 7 });
  });
});
