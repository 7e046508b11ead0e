import { jobsSchema, SetClock } from '../../testing/jobs';
import { useMigratedDatabase } from '../../testing/migrated-database';
import { storeChannels } from '../channels';
import { JobRunner } from './job-runner.service';
import { deletesOld, Retentions } from './retentions';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('the retention periods of several programs', () => {
  const current = useMigratedDatabase([jobsSchema]);
  let time: SetClock;
  beforeEach(() => {
    time = new SetClock();
  });

  const rule = (name: string, keepMs: number) => ({ name, keepMs, deleteOlder: async () => 0 });

  /** A program that keeps audit events, and mails for a week. */
  const keeping = (days: number) =>
    new Retentions(current.openAnother(), [rule('audit', days * DAY), rule('mails', 7 * DAY)], time);

  /** The days for which a program would keep events and mails. */
  async function applied(program: Retentions): Promise<number[]> {
    return (await program.longest()).map(({ keepMs }) => keepMs / DAY);
  }

  it('are the longest that a program stated, rule by rule', async () => {
    const [api, admin] = [keeping(90), keeping(365)];
    for (const program of [admin, api]) await program.state();
    expect([await applied(api), await applied(admin)]).toEqual([
      [365, 7],
      [365, 7],
    ]);
  });

  it('are its own for a program that stated nothing yet', async () => {
    expect(await applied(keeping(90))).toEqual([90, 7]);
    expect(await new Retentions(current.db, [], time).longest()).toEqual([]);
  });

  it('count while the program that stated them runs, and a day longer', async () => {
    const [api, admin] = [keeping(90), keeping(365)];
    for (let hour = 0; hour < 30; hour += 1) {
      for (const program of [api, admin]) await program.state();
      time.pass(HOUR);
    }
    expect(await applied(api)).toEqual([365, 7]);
    for (let hour = 0; hour < 23; hour += 1) {
      await api.state();
      time.pass(HOUR);
    }
    expect(await applied(api)).toEqual([90, 7]);
  });

  it('are removed from the store when they no longer count', async () => {
    const stored = () =>
      current.db.selectFrom('retention').select(['rule', 'keepMs']).orderBy('rule').execute();
    for (const days of [365, 90]) {
      await keeping(days).state();
      time.pass(25 * HOUR);
    }
    expect(await stored()).toEqual([
      { rule: 'audit', keepMs: 90 * DAY },
      { rule: 'mails', keepMs: 7 * DAY },
    ]);
  });

  it('are stated again by the next call after a failure', async () => {
    const db = current.openAnother();
    const program = new Retentions(db, [rule('audit', 365 * DAY)], time);
    vi.spyOn(time, 'wall').mockRejectedValueOnce(new Error('unavailable'));
    await expect(program.state()).rejects.toThrow('unavailable');
    await program.state();
    expect(await applied(keeping(90))).toEqual([365, 7]);
  });

  it('delete the rows after their longest period, and no others', async () => {
    await new Retentions(current.openAnother(), [rule('events', 95 * DAY)]).state();
    const ages = [...Array<number>(1200).fill(100), 94, 1];
    const deleted: unknown[] = [];
    storeChannels.rowsDeleted.subscribe((rows) => deleted.push(rows));
    const deleteOlder = async (before: Date, limit: number) => {
      const old = ages.filter((age) => Date.now() - age * DAY < before.getTime()).slice(0, limit);
      for (const age of old) ages.splice(ages.indexOf(age), 1);
      return old.length;
    };
    const { run } = deletesOld(current.db, [{ name: 'events', keepMs: 90 * DAY, deleteOlder }]);
    await new JobRunner(current.db, { name: 'events', run }).run();
    expect(ages).toEqual([94, 1]);
    expect(deleted).toEqual([500, 500, 200]);
  });
});
