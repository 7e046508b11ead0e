import { type Columns, defineTable, type MigrationContext } from '@app/persistence';
import { sql } from 'kysely';

/** A kind of factor that an account on the database has enrolled, such as `totp`. */
export interface FactorInUseTable {
  /** The kind, which is the primary key. */
  kind: string;
}

declare module '@app/persistence' {
  interface Tables {
    factorInUse: FactorInUseTable;
  }
}

export const factorInUseTable = defineTable('factorInUse', {
  secrecy: { kind: 'internal' },
  exported: 'nothing of an account',
  migrations: { '0027-factor-in-use': { apply: createFactorInUse } },
});

/** Creates the table, with the kinds that accounts enrolled before their tables belonged to plugins. */
async function createFactorInUse(
  db: MigrationContext,
  { dialect, text, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('factor_in_use')
    .$call(strictTypes)
    .addColumn('kind', text, (column) => column.primaryKey());
  await table.execute();
  const { rows } = await sql<{ name: string }>`${
    dialect === 'postgres'
      ? sql`select table_name as name from information_schema.tables where table_schema = any(current_schemas(false))`
      : sql`select name from sqlite_master`
  }`.execute(db);
  for (const kind of ['totp', 'passkey'])
    if (rows.some(({ name }) => name === kind))
      await sql`insert into factor_in_use select ${kind} where exists (select 1 from ${sql.table(kind)})`.execute(
        db,
      );
}
