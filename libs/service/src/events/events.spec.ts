import { accounts } from '@app/accounts';
import { Database, inTransaction } from '@app/persistence';
import { Injectable, type Type } from '@nestjs/common';
import { Exclude, Expose } from 'class-transformer';
import { administrator, bootProgram, newEmail } from '../../testing';
import { failedEvents } from '../failed-events/failed-events.plugin';
import { definePlugin } from '../plugin/define.plugin';
import { defineProgram } from '../program/define-program.bootstrap';
import { eventHandler } from './event-handler.providers';
import { type EventDelivery, EventWorker } from './event-worker.service';
import { Events } from './events';

/** A parcel that was sent. */
@Exclude()
class ParcelSent {
  @Expose() id!: number;
  @Expose() sentAt!: Date;
}

/** An account that was created. */
@Exclude()
class Newcomer {
  @Expose() id!: number;
}

declare module '@app/service' {
  interface EventData {
    'parcel.sent': ParcelSent;
    'account.welcomed': Newcomer;
  }
}

const sentAt = new Date('2026-11-22T12:00:00.123Z');

/** Remembers the events that arrive, and fails as the test says. */
@Injectable()
class Carrier {
  readonly seen: ParcelSent[] = [];
  readonly deliveries: EventDelivery[] = [];
  readonly welcomed: number[] = [];
  fail: (parcel: ParcelSent, delivery: EventDelivery) => void | Promise<void> = () => {};

  async take(parcel: ParcelSent, delivery: EventDelivery): Promise<void> {
    this.deliveries.push(delivery);
    await this.fail(parcel, delivery);
    this.seen.push(parcel);
  }
}

const parcels = definePlugin({
  name: 'parcels',
  providers: () => [Carrier],
  events: { 'parcel.sent': ParcelSent, 'account.welcomed': Newcomer },
  handlers: [
    eventHandler('parcel.sent', 'carrier', Carrier, (carrier, parcel, delivery) =>
      carrier.take(parcel, delivery),
    ),
    eventHandler('account.welcomed', 'welcome', Carrier, async (carrier, { id }) => {
      carrier.welcomed.push(id);
    }),
  ],
  on: (events) => ({
    'account.created': ({ id }, db) => events.add('account.welcomed', { id }, db),
  }),
});

const program = defineProgram({ name: 'shop', plugins: [parcels, accounts(), failedEvents()] });

describe('stored events', () => {
  // The tests deliver events themselves: a second worker of a program does not.
  beforeAll(() => void vi.stubEnv('SLUICE_WORKER', '2'));
  afterAll(() => void vi.unstubAllEnvs());
  const shop = bootProgram(program);
  const get = <T>(type: Type<T>): T => shop.app().get<T>(type, { strict: false });
  const db = () => get(Database);
  const carrier = () => get(Carrier);
  const rows = () =>
    db().selectFrom('event').selectAll().where('handler', '=', 'carrier').orderBy('id').execute();
  const add = (id: number, key?: string) => {
    // The row of a parcel has a member that the class does not expose.
    const row = { id, sentAt, secret: 'SECRET' };
    return inTransaction(db(), (tx) => get(Events).add('parcel.sent', row, tx, { key }));
  };
  /** Makes postponed events due, and handles all due events. */
  const handleDue = async () => {
    await db()
      .updateTable('event')
      .set({ dueAt: new Date(0) })
      .where('dueAt', 'is not', null)
      .execute();
    await get(EventWorker).handleDue();
  };
  const ids = () => carrier().seen.map(({ id }) => id);
  beforeEach(async () => {
    await db().deleteFrom('event').execute();
    carrier().seen.length = 0;
    carrier().deliveries.length = 0;
    carrier().fail = () => {};
  });

  it('are delivered after the commit, with what their class exposes', async () => {
    await add(1);
    expect((await rows()).map(({ data }) => data)).toEqual([`{"id":1,"sentAt":"${sentAt.toISOString()}"}`]);
    await handleDue();
    expect(carrier().seen).toEqual([Object.assign(new ParcelSent(), { id: 1, sentAt })]);
    expect(carrier().seen[0]).toBeInstanceOf(ParcelSent);
    expect(await rows()).toEqual([]);
  });

  it('are not stored if their transaction is rolled back', async () => {
    const adding = inTransaction(db(), async (tx) => {
      await get(Events).add('parcel.sent', { id: 1, sentAt }, tx);
      throw new Error('rolled back');
    });
    await expect(adding).rejects.toThrow('rolled back');
    expect(await rows()).toEqual([]);
  });

  it('are delivered again after a failure, and meanwhile hold back later events with their key alone', async () => {
    for (const [id, key] of [
      [1, 'a'],
      [2, 'a'],
      [3, 'b'],
    ] as const)
      await add(id, key);
    carrier().fail = ({ id }) => {
      if (id === 1) throw new Error('the carrier is closed');
    };
    await handleDue();
    expect(ids()).toEqual([3]);
    expect(await rows()).toMatchObject([
      { key: 'a', attempts: 1, failure: 'Error: the carrier is closed' },
      { key: 'a', attempts: 0, failure: null },
    ]);
    carrier().fail = () => {};
    await handleDue();
    expect(ids()).toEqual([3, 1, 2]);
    expect(carrier().deliveries.map(({ attempts }) => attempts)).toEqual([1, 1, 2, 1]);
  });

  it('wait longer after each failure, and at last for an operator', async () => {
    await add(1);
    carrier().fail = () => {
      throw new Error('the carrier is closed');
    };
    const before = Date.now();
    await handleDue();
    const [row] = await rows();
    expect((row?.dueAt?.getTime() ?? 0) - before).toBeGreaterThanOrEqual(30_000);
    await db()
      .updateTable('event')
      .set({ attempts: 19 })
      .where('id', '=', row?.id ?? 0)
      .execute();
    await handleDue();
    expect(await rows()).toMatchObject([{ attempts: 20, dueAt: null }]);
    await handleDue();
    expect(carrier().deliveries).toHaveLength(2);
  });

  it('have one effect if their handler completes them in its transaction', async () => {
    await add(1);
    carrier().fail = async (_parcel, { complete }) => {
      await inTransaction(db(), complete);
      throw new Error('after the commit');
    };
    await handleDue();
    expect(await rows()).toEqual([]);
    expect(carrier().deliveries).toHaveLength(1);
  });

  it('go to one program at a time, which keeps them while its handler runs', async () => {
    await add(1);
    const secondWorker = new EventWorker(db(), get(Events), 2000);
    let took = 0;
    secondWorker.add({ name: 'carrier', handle: async () => void took++ });
    const slow = new EventWorker(db(), get(Events), 2000);
    slow.add({
      name: 'carrier',
      handle: async () => {
        for (let wait = 0; wait < 3; wait++) {
          await new Promise((resolve) => setTimeout(resolve, 900));
          await secondWorker.handleDue();
        }
      },
    });
    await slow.handleDue();
    expect([took, await rows()]).toEqual([0, []]);
  });

  it('can be added by a hook of accounts', async () => {
    const { headers } = await shop().post('/users', {
      email: newEmail(),
      password: 'correct horse battery staple',
    });
    await handleDue();
    expect(carrier().welcomed).toContain(Number(headers.get('location')?.split('/').at(-1)));
  });

  it('that failed are listed for administrators, who retry or discard them', async () => {
    for (const id of [1, 2]) await add(id);
    carrier().fail = () => {
      throw new Error('the carrier is closed');
    };
    await handleDue();
    const user = await shop.newcomer();
    expect((await user.get('/events')).status).toBe(403);
    const operator = await shop().signIn(administrator.email, administrator.password);
    const { items } = (await operator.get('/events')).json;
    expect(items).toMatchObject([
      { name: 'parcel.sent', handler: 'carrier', attempts: 1, failure: 'Error: the carrier is closed' },
      { name: 'parcel.sent' },
    ]);
    expect(JSON.stringify(items)).not.toContain('sentAt');
    const [second, first] = items;
    expect((await operator.delete(`/events/${second.id}`)).status).toBe(204);
    expect((await operator.post(`/events/${first.id}/retries`)).status).toBe(204);
    expect((await operator.delete(`/events/${second.id}`)).status).toBe(404);
    expect((await rows()).map(({ id, attempts }) => [id, attempts])).toEqual([[first.id, 0]]);
    const events = await db()
      .selectFrom('auditEvent')
      .select('kind')
      .where('kind', 'like', 'event-%')
      .execute();
    expect(events.map(({ kind }) => kind).toSorted()).toEqual(['event-discarded', 'event-retried']);
  });
});

describe('a program with a handler of an undeclared event', () => {
  it('cannot be defined', () => {
    const { handlers } = parcels;
    expect(() => defineProgram({ name: 'shop', plugins: [{ name: 'parcels', handlers }] })).toThrow(
      'the event parcel.sent of the handler carrier is not declared: add it to `events` of a plugin',
    );
  });
});
