import { useMigratedDatabase } from '../../testing/migrated-database';
import { frameworkTables } from './framework';
import { schemaText } from '../../testing/schema-text';

describe('the schema that the migrations make', () => {
  const store = useMigratedDatabase();

  it('is the one that was reviewed', async () => {
    await expect(await schemaText(store.db, frameworkTables)).toMatchFileSnapshot(
      `schema.${store.db.dialect}.txt`,
    );
  });
});
