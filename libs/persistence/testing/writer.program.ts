/** Writes orders of three lines, each in a transaction, and prints the id of each one that was acknowledged; never ends. */
import { writeSync } from 'node:fs';
import { openDatabase } from '../src/database';
import { inTransaction } from '../src/transaction';

async function main(url: string): Promise<never> {
  const db = openDatabase(url);
  for (;;) {
    const id = await inTransaction(db, async (queries) => {
      const order = await queries
        .insertInto('order')
        .defaultValues()
        .returning('id')
        .executeTakeFirstOrThrow();
      for (const position of [0, 1, 2]) {
        await queries
          .insertInto('orderItem')
          .values({ orderId: order.id, position, sku: 'sku', quantity: '1' })
          .execute();
      }
      return order.id;
    });
    // Synchronous, so that what was printed is what was acknowledged, up to the very moment of the kill.
    writeSync(1, `${id}\n`);
  }
}

void main(process.argv[2] ?? '');
