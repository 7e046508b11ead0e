import { persistenceSettings } from '@app/persistence';
import { readProgramSettings } from '@app/service';
import { replica } from './replica.plugin';

describe('DATABASE_REPLICA_URL', () => {
  const plugin = replica();
  const declarations = { ...persistenceSettings, ...plugin.settings! };
  const env = { DATABASE_REPLICA_URL: 'postgres://replica/db' };

  it('is refused with SQLite', () => {
    expect(() => readProgramSettings({ declarations }, env)).toThrow(
      'DATABASE_REPLICA_URL has no effect: DATABASE_URL is a SQLite file.',
    );
  });

  it('names PostgreSQL', () => {
    const read = () =>
      readProgramSettings({ declarations }, { DATABASE_REPLICA_URL: 'sqlite:./data/sluice.db' });
    expect(read).toThrow(/^DATABASE_REPLICA_URL must be/);
  });

  it('has the database open a replica', () => {
    const onPostgres = { ...env, DATABASE_URL: 'postgres://primary/db' };
    expect(plugin.database?.(readProgramSettings({ declarations }, onPostgres))).toEqual({
      openReplica: expect.any(Function),
    });
    expect(plugin.database?.(readProgramSettings({ declarations }, {}))).toEqual({});
  });
});
