import { sql } from 'kysely';
import { useMigratedDatabase } from '../../testing/migrated-database';
import { UnstorableTextError } from '../errors';
import { jsonText } from './json-rows';
import { columnsOf } from '../schema/columns';

describe('a column of JSON', () => {
  const database = useMigratedDatabase();

  it('is written as text and read as its value, from every kind of statement', async () => {
    const { db } = database;
    const { json, strictTypes } = columnsOf(db.dialect);
    await strictTypes(
      db.schema
        .createTable('note')
        .addColumn('id', sql`integer`)
        .addColumn('facts', json),
    ).execute();
    const facts = { a: [1, 'ä', null, { b: true }], 'a key': 1.5 };
    const { rows: written } = await sql`
      insert into note (id, facts) values (1, ${jsonText(facts)}), (2, null) returning facts`.execute(db);
    expect(written).toEqual([{ facts }, { facts: null }]);
    const { rows: read } = await sql`
      select * from (select * from note where id = 1 union all select * from note where id = 2) as "rows"
      order by id`.execute(db);
    expect(read).toEqual([
      { id: 1, facts },
      { id: 2, facts: null },
    ]);
  });

  it('has no text and no name that cannot be stored', () => {
    for (const wrong of [{ a: 'b\0' }, { a: [{ b: '\ud800' }] }, { 'a\0': 1 }])
      expect(() => jsonText(wrong)).toThrow(UnstorableTextError);
  });
});
