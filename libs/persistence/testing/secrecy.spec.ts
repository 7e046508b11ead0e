import { classifiedColumns } from './secrecy';
import { useMigratedDatabase } from './migrated-database';

describe('the columns of the database', () => {
  const database = useMigratedDatabase();

  it('are each classified as secret, internal, for operators, or open', async () => {
    const columns = await classifiedColumns(database.db);
    expect(columns.length).toBeGreaterThan(50);
    expect(columns.filter(({ secrecy }) => secrecy === undefined)).toEqual([]);
  });
});
