/** Reads from a database once, and prints the reason for a failure, or nothing. */
import { sql } from 'kysely';
import { openDatabase } from '../src/database/database';

void report(process.argv[2] ?? '');

async function report(url: string): Promise<void> {
  const db = openDatabase(url);
  const failure = await sql`select 1`.execute(db).then(
    () => '',
    (error: unknown) => String(error),
  );
  await db.destroy();
  process.send?.(failure);
  process.disconnect?.();
}
