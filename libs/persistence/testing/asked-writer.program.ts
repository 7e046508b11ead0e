/** Inserts a row for each message, and replies with its id once the write is acknowledged. */
import { openDatabase } from '../src/database/database';
import { persistenceSettings } from '../src/settings';

const ids = persistenceSettings.DATABASE_IDS.parse(process.env.DATABASE_IDS);
const db = openDatabase(process.argv[2] ?? '', { ids });

process.on('message', () => void write());
process.send?.('ready');

async function write(): Promise<void> {
  const row = await db.insertInto('sampleBasket').defaultValues().returning('id').executeTakeFirstOrThrow();
  process.send?.(row.id);
}
