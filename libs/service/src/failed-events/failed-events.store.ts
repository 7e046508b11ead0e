import type { Slice } from '@app/paging';
import { Database, type Queries, statement } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import type { EventRow } from '../events/event.table';

/** A failed event without its data. */
export type FailedEventRow = Pick<EventRow, (typeof columns)[number]>;

const columns = ['id', 'name', 'handler', 'key', 'attempts', 'failure', 'createdAt', 'dueAt'] as const;

/** The events whose handler failed. */
@Injectable()
export class FailedEventsStore {
  constructor(private readonly db: Database) {}

  /** Lists failed events, newest first. */
  list({ limit, offset, after }: Slice, db: Queries = this.db): Promise<FailedEventRow[]> {
    return after === undefined ? page.all(db, { limit, offset }) : nextPage.all(db, { limit, after });
  }

  /** Makes a failed event due, with as many attempts as a new event. @returns whether the event existed */
  async retry(id: number, db: Queries): Promise<boolean> {
    return (await retry.count(db, { id, now: new Date() })) > 0;
  }

  /** Deletes a failed event. @returns whether the event existed */
  async discard(id: number, db: Queries): Promise<boolean> {
    return (await discard.count(db, { id })) > 0;
  }
}

const failed = (db: Queries) =>
  db.selectFrom('event').select(columns).where('failure', 'is not', null).orderBy('id', 'desc');

const page = statement(({ limit, offset }: { limit: number; offset: number }, db) =>
  failed(db).limit(limit).offset(offset),
);

const nextPage = statement(({ limit, after }: { limit: number; after: number }, db) =>
  failed(db).where('id', '<', after).limit(limit),
);

const retry = statement(({ id, now }: { id: number; now: Date }, db) =>
  db
    .updateTable('event')
    .set({ dueAt: now, attempts: 0 })
    .where('id', '=', id)
    .where('failure', 'is not', null),
);

const discard = statement(({ id }: { id: number }, db) =>
  db.deleteFrom('event').where('id', '=', id).where('failure', 'is not', null),
);
