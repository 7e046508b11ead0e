import { Database, inTransaction } from '@app/persistence';
import type { INestApplicationContext } from '@nestjs/common';
import { Exclude, Expose } from 'class-transformer';
import { EventWorker } from '../src/events/event-worker.service';
import { Events } from '../src/events/events';
import { FailedEventsStore } from '../src/failed-events/failed-events.store';

/** A sample that was taken. */
@Exclude()
class SampleTaken {
  @Expose() id!: number;
}

declare module '@app/service' {
  interface EventData {
    'sample.taken': SampleTaken;
  }
}

/** Stores events that a handler handles, or that an operator retries or discards after a failure. */
export async function exchangeEvents(app: INestApplicationContext): Promise<void> {
  const db = app.get(Database, { strict: false });
  const events = new Events({ 'sample.taken': SampleTaken }, [{ name: 'samples', event: 'sample.taken' }]);
  const add = (id: number) => inTransaction(db, (tx) => events.add('sample.taken', { id }, tx));
  const worker = new EventWorker(db, events, 60);
  worker.add({
    name: 'samples',
    handle: async (_sample, { key }) => {
      // Longer than a third of a claim, which is then renewed.
      await new Promise((resolve) => setTimeout(resolve, 50));
      if (key !== 'handled') throw new Error('the sample was lost');
    },
  });
  await inTransaction(db, (tx) => events.add('sample.taken', { id: 1 }, tx, { key: 'handled' }));
  for (const id of [2, 3]) await add(id);
  await worker.handleDue();
  const store = new FailedEventsStore(db);
  const newest = await store.list({ limit: 1, offset: 0 });
  const next = await store.list({ limit: 1, offset: 0, after: newest[0]?.id });
  for (const { id } of [...newest, ...next]) {
    await store.retry(id, db);
    await store.discard(id, db);
  }
}
