import { firstTables } from './0001-first-tables';
import { type Columns, type Ground } from './columns';

/** One step from what the database is to what the code needs. */
export type Migration = (db: Ground, columns: Columns) => Promise<void>;

/** Every migration under its name, oldest first. One that was released is never changed: another follows it. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-first-tables': firstTables,
};
