import { Database, inTransaction } from '@app/persistence';
import { CompiledQuery, sql } from 'kysely';
import { useAccountsDatabase } from '../../testing/accounts-database';
import { AuditLog } from './audit-log';

const everything = { limit: 100, offset: 0 };

describe('the audit log', () => {
  const store = useAccountsDatabase();
  const log = () => new AuditLog(store.db, 'api');

  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:00Z') }));
  afterEach(() => void vi.useRealTimers());

  it('stores kind, account, actor and address of an event', async () => {
    await log().record({
      kind: 'role-changed',
      accountId: 7,
      actorId: 1,
      ip: '::1',
      detail: { role: 'admin' },
    });
    expect(await log().list(everything)).toEqual([
      {
        id: expect.any(Number),
        kind: 'role-changed',
        accountId: 7,
        actorId: 1,
        ip: '::1',
        program: 'api',
        detail: '{"role":"admin"}',
        createdAt: new Date('2026-03-01T12:00:00Z'),
        block: null,
      },
    ]);
  });

  it('lists the newest first, by account, by kind, and after an event', async () => {
    for (const accountId of [1, 2, 1]) {
      await log().record({ kind: 'sign-in', accountId });
      await log().record({ kind: 'api-key-created', accountId });
    }
    const all = await log().list(everything);
    expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toSorted((a, b) => b - a));
    expect(await log().list(everything, { accountId: 1 })).toHaveLength(4);
    expect(await log().list(everything, { accountId: 1, kind: 'api-key-created' })).toHaveLength(2);
    expect(await log().list({ limit: 2, offset: 0, after: all[2]?.id })).toEqual(all.slice(3, 5));
  });

  it('reads no event of another kind to list those of an account and a kind', async () => {
    await sql`insert into audit_event (id, kind, account_id, detail, created_at)
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 2000)
      select n, case when n % 500 = 0 then 'api-key-created' else 'sign-in' end, n % 2, '{}', ${new Date()} from numbers`.execute(
      store.db,
    );
    await sql`analyze`.execute(store.db);
    const run = vi.spyOn(Database.prototype, 'executeQuery');
    for (const after of [undefined, 1_900])
      expect(
        await log().list({ limit: 10, offset: 0, after }, { accountId: 0, kind: 'api-key-created' }),
      ).not.toEqual([]);
    const queries = run.mock.calls.flatMap(([query]) => ('sql' in query ? [query] : []));
    run.mockRestore();

    expect(queries).toHaveLength(2);
    for (const query of queries) {
      const plan = await planOf(store.db, query);
      expect(plan).toMatch(/audit_event_account_id_kind_id[^]*account_id ?=.* AND .*kind ?=/);
      expect(plan).not.toMatch(/Filter|TEMP B-TREE/);
    }
  });

  it('rolls an event back with its transaction', async () => {
    const failing = inTransaction(store.db, async (db) => {
      await log().record({ kind: 'account-deleted', accountId: 1 }, db);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await log().list(everything)).toEqual([]);
  });
});

async function planOf(db: Database, { sql: text, parameters }: CompiledQuery): Promise<string> {
  const explain = db.dialect === 'postgres' ? 'explain' : 'explain query plan';
  const { rows } = await db.executeQuery<Record<string, unknown>>(
    CompiledQuery.raw(`${explain} ${text}`, [...parameters]),
  );
  return rows.flatMap((row) => Object.values(row)).join('\n');
}
