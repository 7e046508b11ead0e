import { type Columns, defineTable, type MigrationContext } from '@app/persistence';
import { type Generated, type Selectable, sql } from 'kysely';

/** An event that a handler has not handled yet. The row is deleted afterwards. */
export interface EventTable {
  id: Generated<number>;
  /** The event's name, such as `order.paid`. */
  name: string;
  /** The handler's name. An event with several handlers has a row for each handler. */
  handler: string;
  /** The key that orders events. A handler gets the events with a key in sequence. */
  key: string;
  /** The data as JSON, as the event's wire class writes it. */
  data: string;
  /** The number of attempts, including the current attempt. */
  attempts: Generated<number>;
  /** The time of the next attempt, or at which the claim of a program ends; `null` after the last attempt. */
  dueAt: Date | null;
  /** The error of the last attempt; `null` before a failure. */
  failure: string | null;
  createdAt: Date;
}

/** A selected event. */
export type EventRow = Selectable<EventTable>;

declare module '@app/persistence' {
  interface Tables {
    event: EventTable;
  }
}

export const eventTable = defineTable('event', {
  secrecy: {
    id: 'operators',
    name: 'operators',
    handler: 'operators',
    key: 'operators',
    data: 'internal',
    attempts: 'operators',
    dueAt: 'operators',
    failure: 'operators',
    createdAt: 'open',
  },
  // Members of any response may have these names. The values are kept back all the same.
  openMembers: ['name', 'handler', 'key', 'data', 'attempts', 'dueAt', 'failure'],
  exported: { not: 'events of the application, until they are handled' },
  migrations: { '0003-event': { apply: createEvent } },
});

async function createEvent(
  db: MigrationContext,
  { integer, timestamp, text, id, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('event')
    .$call(strictTypes)
    .addColumn('id', integer, id)
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('handler', text, (column) => column.notNull())
    .addColumn('key', text, (column) => column.notNull())
    .addColumn('data', text, (column) => column.notNull())
    .addColumn('attempts', integer, (column) => column.notNull().defaultTo(0))
    .addColumn('due_at', timestamp)
    .addColumn('failure', text)
    .addColumn('created_at', timestamp, (column) => column.notNull());
  await table.execute();
  const index = (name: string) => db.schema.createIndex(name).on('event');
  await index('event_handler_key_id').columns(['handler', 'key', 'id']).execute();
  await index('event_failed').column('id').where(sql.ref('failure'), 'is not', null).execute();
}
