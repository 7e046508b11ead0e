import type { Database } from '@app/persistence';

/** Inserts an event whose handler failed. @returns its id */
export async function insertFailedEvent(db: Database): Promise<number> {
  const { id } = await db
    .insertInto('event')
    .values({
      name: 'order.paid',
      handler: 'receipts',
      key: '1',
      data: '{}',
      dueAt: null,
      failure: 'Error: no route to the printer',
      createdAt: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
