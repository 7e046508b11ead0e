/**
 * Inserts orders with three lines, each in its own transaction and several at once. Prints the id of each acknowledged order
 * until it is killed.
 */
import { writeSync } from 'node:fs';
import { type Database, openDatabase } from '../src/database/database';
import { inTransaction } from '../src/database/transaction';
import { persistenceSettings } from '../src/settings';

const CONCURRENT_WRITERS = 8;

async function main(url: string): Promise<void> {
  const db = openDatabase(url, { ids: persistenceSettings.DATABASE_IDS.parse(process.env.DATABASE_IDS) });
  await Promise.all(Array.from({ length: CONCURRENT_WRITERS }, () => write(db)));
}

async function write(db: Database): Promise<never> {
  for (;;) {
    const id = await inTransaction(db, async (queries) => {
      const order = await queries
        .insertInto('sampleBasket')
        .defaultValues()
        .returning('id')
        .executeTakeFirstOrThrow();
      for (const position of [0, 1, 2]) {
        await queries
          .insertInto('sampleLine')
          .values({ basketId: order.id, position, sku: 'sku', quantity: '1' })
          .execute();
      }
      return order.id;
    });
    // Synchronous, so that everything acknowledged before the kill is printed.
    writeSync(1, `${id}\n`);
  }
}

void main(process.argv[2] ?? '');
