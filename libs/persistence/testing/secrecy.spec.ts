import { classifiedColumns, secrecy } from './secrecy';
import { useMigratedDatabase } from './migrated-database';

describe('the columns of the database', () => {
  const database = useMigratedDatabase();

  it('are each classified as secret, internal, for operators, or open', async () => {
    const columns = await classifiedColumns(database.db);
    expect(columns.length).toBeGreaterThan(50);
    expect(columns.filter((column) => column.secrecy === undefined)).toEqual([]);
  });

  it('are those that the types of the tables declare: each is added by a migration', async () => {
    const columns = await classifiedColumns(database.db);
    const declared = Object.entries(secrecy).flatMap(([table, names]) =>
      Object.keys(names).map((column) => `${table}.${column}`),
    );
    expect(columns.map(({ table, column }) => `${table}.${column}`).toSorted()).toEqual(declared.toSorted());
  });
});
