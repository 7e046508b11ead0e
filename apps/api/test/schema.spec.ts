import { ApplicationSchema, historiesOf } from '@app/persistence';
import { historyBehaves, tablesOf, undeclaredColumns, useMigratedDatabase } from '@app/persistence/testing';
import { AppModule } from '../src/app.module';

const schema = new ApplicationSchema('api', AppModule.tables);

describe('the tables of api', () => {
  const store = useMigratedDatabase(schema);

  it('declare who may read each column, and have a migration that adds it', async () => {
    expect(await undeclaredColumns(store.db, tablesOf(schema))).toEqual([]);
  });
});

historyBehaves(schema, historiesOf(undefined));
