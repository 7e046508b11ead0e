import { inTransaction, openDatabase } from '@app/persistence';
import { accountsSchemas, useAccountsDatabase } from '../../testing/accounts-database';
import type { AuditBlockRow } from './audit-block.table';
import type { AuditEventRow } from './audit-event.table';
import { AuditLog } from './audit-log';
import { runAuditCheckCommand } from './audit-check-command';
import { AuditChain } from './audit-chain';
import { exportAudit } from './audit-export';
import { ChainCheck, type CheckedChain } from './chain-check';

const DAY = 86_400_000;

describe('the chain of the audit log', () => {
  const histories = accountsSchemas;
  const store = useAccountsDatabase();
  const log = () => new AuditLog(store.db, 'api');
  const chain = () => new AuditChain(store.db);
  const check = (head?: string) => new ChainCheck(store.db, chain(), DAY).check(head);
  const start = new Date('2026-03-01T12:00:00Z');
  const update = (columns: { detail?: string; block?: null }, id: number) =>
    store.db.updateTable('auditEvent').set(columns).where('id', '=', id).execute();

  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: start }));
  afterEach(() => void vi.useRealTimers());

  /** Records events, and seals them in pairs. */
  async function sealed(count: number): Promise<readonly number[]> {
    for (let accountId = 1; accountId <= count; accountId += 1)
      await log().record({ kind: 'sign-in', accountId });
    while ((await chain().sealNext(2)) > 0);
    return (await store.db.selectFrom('auditEvent').select('id').orderBy('id').execute()).map(({ id }) => id);
  }
  const faultsOf = ({ isIntact, faults }: CheckedChain) => [
    isIntact,
    ...faults.map(({ block, problem }) => `${block}: ${problem}`),
  ];

  it('is intact without events, and with sealed and unsealed ones', async () => {
    expect(await check()).toMatchObject({ isIntact: true, blocks: 0, events: 0, head: null });
    await sealed(5);
    await log().record({ kind: 'api-key-created', accountId: 1 });
    expect(await check()).toEqual({
      isIntact: true,
      blocks: 3,
      events: 5,
      prunedBlocks: 0,
      unsealed: 1,
      head: expect.stringMatching(/^[\w-]{43}$/),
      faults: [],
    });
  });

  it('finds an event that was changed, removed, or added to a block', async () => {
    const [first = 0, , third = 0] = await sealed(6);
    await update({ detail: '{"forged":true}' }, first);
    expect(faultsOf(await check())).toEqual([false, '1: an event was changed']);
    await update({ detail: '{}' }, first);
    expect(faultsOf(await check())).toEqual([true]);
    await update({ block: null }, third);
    expect(faultsOf(await check())).toEqual([false, '2: 1 of 2 events are there']);
    await store.db.updateTable('auditEvent').set({ block: 1 }).where('id', '=', third).execute();
    expect(faultsOf(await check())).toEqual([
      false,
      '1: 3 of 2 events are there',
      '2: 1 of 2 events are there',
    ]);
  });

  it('finds a block that was changed or removed, and an end that was cut off by its earlier head', async () => {
    await sealed(6);
    const { head } = await check();
    expect(faultsOf(await check(head ?? ''))).toEqual([true]);
    await store.db
      .updateTable('auditBlock')
      .set({ newestAt: new Date(0) })
      .where('number', '=', 2)
      .execute();
    expect(faultsOf(await check())).toEqual([false, '2: its hash is another one']);
    await store.db.deleteFrom('auditBlock').where('number', '=', 2).execute();
    expect(faultsOf(await check())).toEqual([
      false,
      '3: a block before this one is missing',
      '3: its hash is another one',
    ]);
    await store.db.deleteFrom('auditBlock').where('number', '=', 3).execute();
    await store.db.deleteFrom('auditEvent').where('block', '>', 1).execute();
    expect(faultsOf(await check())).toEqual([true]);
    expect(faultsOf(await check(head ?? ''))).toEqual([
      false,
      '1: the hash of an earlier check is not in the chain',
    ]);
  });

  it('stays intact when old events are deleted, block by block', async () => {
    await sealed(4);
    vi.setSystemTime(start.getTime() + DAY);
    await sealed(2);
    const before = new Date(start.getTime() + 1);
    expect(await chain().pruneOlder(before, 2)).toBe(2);
    expect(await chain().pruneOlder(before, 2)).toBe(2);
    expect(await chain().pruneOlder(before, 2)).toBe(0);
    expect(await check()).toMatchObject({ isIntact: true, blocks: 5, events: 2, prunedBlocks: 2 });
    expect(await log().list({ limit: 9, offset: 0 })).toHaveLength(2);
  });

  describe('with two blocks that were pruned after the retention, their record, and two others', () => {
    beforeEach(async () => {
      await sealed(4);
      vi.setSystemTime(start.getTime() + 1.5 * DAY);
      await sealed(4);
      vi.setSystemTime(start.getTime() + 2 * DAY);
      await chain().pruneOlder(new Date(start.getTime() + DAY), 9);
    });
    const isIntact = async (head?: string) => (await check(head)).isIntact;
    const blocks = () => store.db.selectFrom('auditBlock').selectAll().orderBy('number').execute();
    /** Prunes with a retention that an intruder chose. */
    async function pruneEarly(): Promise<void> {
      expect(await chain().pruneOlder(new Date(start.getTime() + 3 * DAY), 9)).toBe(4);
    }

    it('is intact, also when it grows and is pruned again', async () => {
      const { head } = await check();
      expect(await isIntact(head ?? '')).toBe(true);
      vi.setSystemTime(start.getTime() + 3 * DAY);
      await sealed(1);
      expect(await chain().pruneOlder(new Date(start.getTime() + 2 * DAY), 9)).toBe(4);
      expect(await check(head ?? '')).toMatchObject({
        isIntact: true,
        blocks: 7,
        events: 1,
        prunedBlocks: 4,
      });
    });

    it('finds each column of each block changed', async () => {
      const forged: AuditBlockRow = {
        number: 70,
        events: 7,
        digest: 'another digest',
        hash: 'another hash',
        newestAt: new Date(0),
        prunedFrom: 2,
        prunedTo: 1,
        prunedBy: 4,
      };
      const { head } = await check();
      for (const [column, value] of Object.entries(forged))
        for (const { number, ...before } of await blocks()) {
          const change = (columns: object, at = number) =>
            store.db.updateTable('auditBlock').set(columns).where('number', '=', at).execute();
          await change({ [column]: value });
          expect(await isIntact(head ?? ''), `${column} of block ${number}`).toBe(false);
          await change({ number, ...before }, column === 'number' ? 70 : number);
        }
      expect(await isIntact(head ?? '')).toBe(true);
    });

    it('finds a record that is none any more, and a pruned block that is not', async () => {
      for (const [number, column] of [
        [1, 'prunedBy'],
        [5, 'prunedBy'],
        [5, 'prunedFrom'],
        [5, 'prunedTo'],
      ] as const) {
        const set = (value: number | null) =>
          store.db
            .updateTable('auditBlock')
            .set({ [column]: value })
            .where('number', '=', number)
            .execute();
        const before = (await blocks())[number - 1]?.[column] ?? null;
        await set(null);
        expect(await isIntact(), `${column} of block ${number}`).toBe(false);
        await set(before);
      }
      expect(await isIntact()).toBe(true);
    });

    it('finds each column of an event changed', async () => {
      const forged: Omit<AuditEventRow, 'id'> = {
        kind: 'api-key-created',
        accountId: 7,
        actorId: 7,
        ip: '192.0.2.7',
        program: 'admin',
        detail: '{"forged":true}',
        createdAt: new Date(0),
        block: 1,
      };
      const event = await store.db
        .selectFrom('auditEvent')
        .selectAll()
        .where('block', '=', 3)
        .limit(1)
        .executeTakeFirstOrThrow();
      const { id, ...before } = event;
      const change = (columns: object) =>
        store.db.updateTable('auditEvent').set(columns).where('id', '=', id).execute();
      for (const [column, value] of Object.entries(forged)) {
        await change({ [column]: value });
        expect(await isIntact(), `${column} of an event`).toBe(false);
        await change(before);
      }
      expect(await isIntact()).toBe(true);
      await store.db.deleteFrom('auditEvent').where('id', '=', id).execute();
      await store.db.insertInto('auditEvent').values(before).execute();
      expect(await isIntact(), 'id').toBe(false);
    });

    it('finds an event that is added to a block, also to a pruned one, a record, or one that does not exist', async () => {
      for (const block of [-1, 0, 1, 3, 5, 6, 70]) {
        const values = { kind: 'forged', detail: '{}', createdAt: start, block };
        await store.db.insertInto('auditEvent').values(values).execute();
        expect(await isIntact(), `block ${block}`).toBe(false);
        await store.db.deleteFrom('auditEvent').where('kind', '=', 'forged').execute();
      }
      expect(await isIntact()).toBe(true);
    });

    it('finds each block removed', async () => {
      const { head } = await check();
      for (const block of await blocks()) {
        await store.db.deleteFrom('auditBlock').where('number', '=', block.number).execute();
        expect(await isIntact(head ?? ''), `block ${block.number}`).toBe(false);
        await store.db.insertInto('auditBlock').values(block).execute();
      }
      expect(await isIntact(head ?? '')).toBe(true);
    });

    it('finds events that are removed as if they had been pruned', async () => {
      await store.db.deleteFrom('auditEvent').where('block', '=', 3).execute();
      expect(faultsOf(await check())).toEqual([false, '3: 0 of 2 events are there']);
      await store.db.updateTable('auditBlock').set({ prunedBy: 5 }).where('number', '=', 3).execute();
      expect(faultsOf(await check())).toEqual([false, '5: deleted events differ from their record']);
      await store.db.updateTable('auditBlock').set({ prunedBy: 6 }).where('number', '=', 3).execute();
      expect(faultsOf(await check())).toEqual([false, '6: the record of deleted events is missing']);
    });

    it('finds a record that the programs themselves would write before the retention is over', async () => {
      const { head } = await check();
      await pruneEarly();
      const fault = '6: events were deleted before AUDIT_RETENTION';
      expect(faultsOf(await check(head ?? ''))).toEqual([false, fault]);
      expect(faultsOf(await check())).toEqual([false, fault]);
    });

    it('finds events that are removed before their block is pruned, also afterwards', async () => {
      await store.db.deleteFrom('auditEvent').where('block', '=', 3).execute();
      vi.setSystemTime(start.getTime() + 3 * DAY);
      await chain().pruneOlder(new Date(start.getTime() + 2 * DAY), 9);
      expect(faultsOf(await check())).toEqual([false, '6: deleted events differ from their record']);
    });

    it('trusts the records before a head, of a time with a shorter retention', async () => {
      await pruneEarly();
      const { head } = await check();
      expect(await isIntact(head ?? '')).toBe(true);
    });
  });

  it('keeps a block whose newest event is not old enough, and events without a block', async () => {
    await log().record({ kind: 'sign-in' });
    vi.setSystemTime(start.getTime() + DAY);
    await log().record({ kind: 'sign-in' });
    expect(await chain().pruneOlder(new Date(start.getTime() + 1), 9)).toBe(0);
    await chain().sealNext(9);
    expect(await chain().pruneOlder(new Date(start.getTime() + 1), 9)).toBe(0);
    expect(await chain().pruneOlder(new Date(start.getTime() + DAY + 1), 9)).toBe(2);
  });

  it('seals the repetitions of a day when it is over, and gathers none in a sealed row', async () => {
    const refreshed = { kind: 'session-refreshed', accountId: 1, ip: '::1' } as const;
    const row = await inTransaction(store.db, (db) => log().recordRepeated(refreshed, null, db));
    expect(await chain().sealNext(9)).toBe(0);
    vi.setSystemTime(new Date('2026-03-02T00:59:59.999Z'));
    expect(await chain().sealNext(9)).toBe(0);
    vi.setSystemTime(new Date('2026-03-02T01:00:00Z'));
    expect(await chain().sealNext(9)).toBe(1);
    vi.setSystemTime(start);
    const secondId = await inTransaction(store.db, (db) => log().recordRepeated(refreshed, row, db));
    expect(secondId).toBeGreaterThan(row);
    expect(faultsOf(await check())).toEqual([true]);
  });

  it('has one block of each number, whichever programs seal at once, while events are recorded', async () => {
    const others = [1, 2].map(() => openDatabase(store.url));
    for (let accountId = 0; accountId < 20; accountId += 1)
      await log().record({ kind: 'sign-in', accountId });
    const sealing = others.map(async (db) => {
      for (let round = 0; round < 12; round += 1) await new AuditChain(db).sealNext(3);
    });
    const recording = Array.from({ length: 10 }, () => log().record({ kind: 'api-key-created' }));
    await Promise.all([...sealing, ...recording]);
    while ((await chain().sealNext(9)) > 0);
    for (const db of others) await db.destroy();
    expect(await check()).toMatchObject({ isIntact: true, events: 30, unsealed: 0 });
  });

  it('is checked by a command, which prints the head, and fails if it is broken', async () => {
    const settings = { AUDIT_RETENTION: 86_400 };
    const [first = 0] = await sealed(3);
    const [line, head = ''] = await runAuditCheckCommand(store.db, [], histories, settings);
    expect(line).toBe('the audit log is intact: 3 events in 2 blocks (0 pruned), 0 not sealed yet');
    expect(
      await runAuditCheckCommand(store.db, ['--head', head.slice('head: '.length)], histories, settings),
    ).toEqual([line, head]);
    await update({ detail: '{"forged":true}' }, first);
    await expect(runAuditCheckCommand(store.db, [], histories, settings)).rejects.toThrow(
      'The audit log was changed:\nblock 1: an event was changed',
    );
    await expect(runAuditCheckCommand(store.db, ['--all'], histories, settings)).rejects.toThrow(TypeError);
  });
});

describe('an export of the audit log', () => {
  const store = useAccountsDatabase();
  const start = new Date('2026-03-01T12:00:00Z');
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: start }));
  afterEach(() => void vi.useRealTimers());

  async function exported(range: { from?: Date; to?: Date }) {
    const lines = [];
    for await (const chunk of exportAudit(store.db, range)) lines.push(...chunk.trimEnd().split('\n'));
    return lines.map((line) => JSON.parse(line));
  }

  it('has each event of the time once, oldest first, over pages of one time', async () => {
    const log = new AuditLog(store.db, 'api');
    const record = async (times: number) => {
      for (let accountId = 1; accountId <= times; accountId += 1)
        await log.record({ kind: 'sign-in', accountId, detail: { of: 'a day' } });
    };
    await inTransaction(store.db, async (db) => {
      for (let accountId = 1; accountId <= 1100; accountId += 1)
        await log.record({ kind: 'sign-in', accountId, detail: { of: 'a day' } }, db);
    });
    const next = new Date(start.getTime() + 1);
    vi.setSystemTime(next);
    await record(2);
    vi.setSystemTime(start.getTime() + DAY);
    const all = await exported({});
    expect(all.map(({ accountId }) => accountId)).toEqual([
      ...Array.from({ length: 1100 }, (_, index) => index + 1),
      1,
      2,
    ]);
    expect(all[0]).toEqual({
      id: expect.any(Number),
      kind: 'sign-in',
      accountId: 1,
      actorId: null,
      ip: null,
      program: 'api',
      createdAt: start.toISOString(),
      block: null,
      detail: { of: 'a day' },
    });
    expect(await exported({ from: next })).toHaveLength(2);
    expect(await exported({ to: next })).toHaveLength(1100);
    expect(await exported({ from: new Date(start.getTime() + DAY) })).toEqual([]);
  });
});
