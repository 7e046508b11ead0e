/** Migrates the database and prints `migrated`. */
import { openDatabase } from '../src/database';
import { migrate } from '../src/migrate';

async function main(url: string): Promise<void> {
  const db = openDatabase(url);
  await migrate(db);
  await db.destroy();
  process.stdout.write('migrated\n');
}

void main(process.argv[2] ?? '');
