import { jobsSchema } from '../../testing/jobs';
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
    const lease = new Lease(db, 'a job');
    await lease.take();
    await lease.complete();
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
