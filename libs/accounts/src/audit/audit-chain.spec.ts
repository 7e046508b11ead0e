import { inTransaction, openDatabase } from '@app/persistence';
import { useMigratedDatabase } from '@app/persistence/testing';
import { AuditLog } from '../audit-log';
import { runAuditCheckCommand } from './audit-check-command';
import { AuditChain } from './audit-chain';
import { exportAudit } from './audit-export';
import { ChainCheck, type CheckedChain } from './chain-check';

const DAY = 86_400_000;

describe('the chain of the audit log', () => {
  const store = useMigratedDatabase();
  const log = () => new AuditLog(store.db, 'api');
  const chain = () => new AuditChain(store.db);
  const check = (head?: string) => new ChainCheck(store.db, chain()).check(head);
  const start = new Date('2026-03-01T12:00:00Z');
  const update = (columns: { detail?: string; block?: null }, id: number) =>
    store.db.updateTable('auditEvent').set(columns).where('id', '=', id).execute();

  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: start }));
  afterEach(() => void vi.useRealTimers());

  /** Records events, and seals them in blocks of two. */
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
    await log().record({ kind: 'key-made', accountId: 1 });
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
    expect(await check()).toMatchObject({ isIntact: true, blocks: 3, events: 2, prunedBlocks: 2 });
    expect(await log().list({ limit: 9, offset: 0 })).toHaveLength(2);
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
    const turned = { kind: 'session-turned', accountId: 1, ip: '::1' } as const;
    const row = await inTransaction(store.db, (db) => log().recordRepeated(turned, null, db));
    expect(await chain().sealNext(9)).toBe(0);
    vi.setSystemTime(new Date('2026-03-02T00:59:59.999Z'));
    expect(await chain().sealNext(9)).toBe(0);
    vi.setSystemTime(new Date('2026-03-02T01:00:00Z'));
    expect(await chain().sealNext(9)).toBe(1);
    vi.setSystemTime(start);
    const other = await inTransaction(store.db, (db) => log().recordRepeated(turned, row, db));
    expect(other).toBeGreaterThan(row);
    expect(faultsOf(await check())).toEqual([true]);
  });

  it('has one block of each number, whichever programs seal at once, while events are recorded', async () => {
    const others = [1, 2].map(() => openDatabase(store.url));
    for (let accountId = 0; accountId < 20; accountId += 1)
      await log().record({ kind: 'sign-in', accountId });
    const sealing = others.map(async (db) => {
      for (let round = 0; round < 12; round += 1) await new AuditChain(db).sealNext(3);
    });
    const recording = Array.from({ length: 10 }, () => log().record({ kind: 'key-made' }));
    await Promise.all([...sealing, ...recording]);
    while ((await chain().sealNext(9)) > 0);
    for (const db of others) await db.destroy();
    expect(await check()).toMatchObject({ isIntact: true, events: 30, unsealed: 0 });
  });

  it('is checked by a command, which prints the head, and fails if it is broken', async () => {
    const [first = 0] = await sealed(3);
    const [line, head = ''] = await runAuditCheckCommand(store.db, []);
    expect(line).toBe('the audit log is intact: 3 events in 2 blocks (0 pruned), 0 not sealed yet');
    expect(await runAuditCheckCommand(store.db, ['--head', head.slice('head: '.length)])).toEqual([
      line,
      head,
    ]);
    await update({ detail: '{"forged":true}' }, first);
    await expect(runAuditCheckCommand(store.db, [])).rejects.toThrow(
      'The audit log was changed:\nblock 1: an event was changed',
    );
    await expect(runAuditCheckCommand(store.db, ['--all'])).rejects.toThrow(TypeError);
  });
});

describe('an export of the audit log', () => {
  const store = useMigratedDatabase();
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
