import { randomUUID } from 'node:crypto';
import type { RowOf } from '@app/contract';
import { closedWriter, type ClosedWriter, type WireClass } from '@app/engine';
import { type Queries, statement } from '@app/persistence';
import type { EventRow } from './event.table';

/**
 * The classes of the events' data, by event. An application declares its events:
 *
 * `declare module '@app/service' { interface EventData { 'order.paid': OrderPaid } }`
 */
export interface EventData {}

/** An event's name. */
export type EventName = Extract<keyof EventData, string>;

/** The wire classes of events, by event. */
export type EventClasses = { readonly [Name in EventName]?: WireClass<EventData[Name]> };

/** A handler's name and event. */
export interface EventSubscription {
  readonly name: string;
  readonly event: string;
}

/** Stores events in transactions. Their handlers get them after the commit. */
export class Events {
  private readonly writers: ReadonlyMap<string, ClosedWriter>;
  private readonly handlers: ReadonlyMap<string, readonly EventSubscription[]>;

  /**
   * @param classes the wire classes that plugins declare
   * @throws TypeError for a handler of an undeclared event
   * @throws OpenWireClassError for a class that would store more than it exposes
   */
  constructor(
    readonly classes: Readonly<Record<string, WireClass>>,
    handlers: readonly EventSubscription[],
  ) {
    this.writers = new Map(Object.entries(classes).map(([name, type]) => [name, closedWriter(type)]));
    for (const { name, event } of handlers) if (!this.writers.has(event)) throw undeclared(event, name);
    this.handlers = Map.groupBy(handlers, ({ event }) => event);
  }

  /**
   * Stores an event for each of its handlers.
   *
   * @param data the members that the event's class exposes are stored
   * @param db the transaction that causes the event
   * @param key the key of events that a handler gets in sequence, such as an order's id; by default events have no sequence
   */
  async add<Name extends EventName>(
    name: Name,
    data: RowOf<EventData[Name]>,
    db: Queries,
    { key = randomUUID() }: { readonly key?: string | number } = {},
  ): Promise<void> {
    const write = this.writers.get(name);
    if (write === undefined) throw undeclared(name);
    const row = { name, key: String(key), data: write(Object(data)), now: new Date() };
    for (const handler of this.handlers.get(name) ?? [])
      await insert.execute(db, { ...row, handler: handler.name });
  }
}

function undeclared(event: string, handler?: string): TypeError {
  const subject = handler === undefined ? '' : ` of the handler ${handler}`;
  return new TypeError(`the event ${event}${subject} is not declared: add it to \`events\` of a plugin`);
}

type InsertedEvent = Pick<EventRow, 'data' | 'handler' | 'key' | 'name'> & { readonly now: Date };

const insert = statement(({ name, handler, key, data, now }: InsertedEvent, db) =>
  db.insertInto('event').values({ name, handler, key, data, dueAt: now, createdAt: now }),
);
