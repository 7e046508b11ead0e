/** Migrates the database and prints `migrated`. */
import { openDatabase } from '../src/database/database';
import { migrate } from '../src/migrations/migrate';
import { persistenceSettings } from '../src/settings';
import { baseSchema, sampleSchema } from './sample-schema';

async function main(url: string): Promise<void> {
  const db = openDatabase(url, { ids: persistenceSettings.DATABASE_IDS.parse(process.env.DATABASE_IDS) });
  await migrate(db, [baseSchema, sampleSchema]);
  await db.destroy();
  process.stdout.write('migrated\n');
}

void main(process.argv[2] ?? '');
