import { StatementSync } from 'node:sqlite';
import { useMigratedDatabase } from '../../../testing/migrated-database';
import { statement } from '../../statements/statement';

const products = statement((_given: {}, db) => db.selectFrom('sampleProduct').select('sku'));

describe('a statement on SQLite', () => {
  const store = useMigratedDatabase();

  it('passes through at most ten functions of ours between a store and the driver', async ({ skip }) => {
    skip(store.db.dialect !== 'sqlite', 'needs SQLite');
    await products.all(store.db, {});
    let stack = '';
    const all: Function = Reflect.get(StatementSync.prototype, 'all');
    vi.spyOn(StatementSync.prototype, 'all').mockImplementation(function (this: StatementSync, ...values) {
      stack = new Error('at the driver').stack ?? '';
      return Reflect.apply(all, this, values);
    });
    await products.all(store.db, {});
    const ours = [...stack.matchAll(/at (?:async )?(\S+) \(.*\/libs\/persistence\/src\//g)].map(
      ([, name]) => name,
    );
    expect(ours).toContain('Statement.all');
    expect(ours.length).toBeLessThanOrEqual(10);
  });
});
