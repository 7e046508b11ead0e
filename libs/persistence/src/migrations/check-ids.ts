import { commandLine } from '@app/settings';
import { type Database } from '../database/database';
import { camelCase } from '../dialects/column-names';
import { idRangeTable } from '../dialects/ids/time-ids';
import { ForeignIdsError } from '../errors';
import { hasId } from '../schema/define-table';

/**
 * Checks that a program may insert into the tables, and reserves ids by time. A store whose ids are of sequences goes on with ids
 * by time; one that was created for these has no sequences on PostgreSQL.
 *
 * @throws {ForeignIdsError} if nothing would generate ids
 */
export async function checkIds(db: Database): Promise<void> {
  if (db.ids === undefined && db.dialect === 'sqlite') return;
  const tables = await tablesOf(db);
  const hasRanges = tables.some(({ name }) => name === idRangeTable);
  if (db.ids !== undefined && !hasRanges)
    throw new ForeignIdsError(`the database has no ids by time yet: run \`${commandLine(['migrate'])}\``);
  await db.ids?.reserve();
  if (db.ids !== undefined || !hasRanges) return;
  const isWithout = ({ name, columns }: (typeof tables)[number]) =>
    hasId(camelCase(name)) &&
    columns.some((column) => column.name === 'id' && !column.isAutoIncrementing && !column.hasDefaultValue);
  const without = tables.filter(isWithout).map(({ name }) => name);
  if (without.length > 0)
    throw new ForeignIdsError(
      `tables were created for ids by time, and have no sequences (${without.join(', ')}): set DATABASE_IDS=time`,
    );
}

async function tablesOf(db: Database) {
  const handle = db.forMigrations();
  try {
    return await handle.introspection.getTables();
  } finally {
    await handle.destroy();
  }
}
