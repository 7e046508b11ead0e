import { jobsSchema, SetClock } from '../../testing/jobs';
import { useMigratedDatabase } from '../../testing/migrated-database';
import { QueryRecord } from '../../testing/query-plans';
import { DatabaseClock } from './database-clock';
import { Lease } from './lease';
import { Retentions } from './retentions';

describe('the statements of jobs', () => {
  const store = useMigratedDatabase([jobsSchema]);
  const record = new QueryRecord();

  it('read no table completely', async () => {
    const { db } = store;
    await new DatabaseClock(db).wall(db);
    const time = new SetClock();
    const lease = new Lease(db, 'a job', { clock: time });
    await lease.take();
    time.pass(20_000);
    await lease.renew();
    await lease.complete();
    const timed = new Lease(db, 'a job', { cron: '* * * * *' });
    await timed.take();
    await new Lease(db, 'a new job', { cron: '* * * * *' }).take();
    const retentions = new Retentions(db, [{ name: 'rows', keepMs: 1_000, deleteOlder: async () => 0 }]);
    await retentions.state();
    await retentions.longest();

    const postgresOnly = { 'libs/persistence/src/jobs/database-clock.ts': 1 };
    expect(
      record.unexecuted('libs/persistence/src/jobs', db.dialect === 'sqlite' ? postgresOnly : {}),
    ).toEqual({});
    expect(await record.fullScans(db)).toEqual([]);
  });
});
