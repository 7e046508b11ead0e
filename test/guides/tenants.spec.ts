import { Database } from '@app/persistence';
import { sql } from 'kysely';
import {
  documentTable,
  DocumentsController,
  DocumentsStore,
  MembersStore,
  memberTable,
  tenantTable,
} from '../../docs/guides/data-patterns.md';
import { bootGuide } from './boot-guide';

describe('docs/guides/data-patterns.md', () => {
  const program = bootGuide({
    controllers: [DocumentsController],
    providers: [MembersStore, DocumentsStore],
    tables: [tenantTable, memberTable, documentTable],
  });
  const db = () => program.app().get(Database);

  /** A new tenant with a new account in it. */
  const addTenant = async (name: string) => {
    const caller = await program.newcomer();
    await sql`insert into tenant (name) values (${name})`.execute(db());
    await sql`insert into member (tenant_id, account_id) select max(tenant.id), (select max(id) from account) from tenant`.execute(
      db(),
    );
    const { rows } = await sql<{ id: number }>`select max(id) as id from tenant`.execute(db());
    return { caller, path: `/tenants/${rows[0]?.id}/documents` };
  };

  it('shows a tenant to its members alone, and nothing to one who was removed', async () => {
    const first = await addTenant('one');
    const second = await addTenant('other');
    const created = await first.caller.post(first.path, { title: 'plan' });
    expect(created.status).toBe(201);
    const { id } = created.json;
    expect((await first.caller.get(first.path)).json.items).toEqual([{ id, title: 'plan' }]);
    expect((await first.caller.get(`${first.path}/${id}`)).json).toEqual({ id, title: 'plan' });

    expect((await second.caller.get(second.path)).json.items).toEqual([]);
    const refused = await Promise.all([
      second.caller.get(`${second.path}/${id}`),
      second.caller.get(`${first.path}/${id}`),
      second.caller.get(first.path),
      second.caller.post(first.path, { title: 'not mine' }),
      first.caller.get('/tenants/999/documents'),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect((await program().get(first.path)).status).toBe(401);

    await sql`delete from member`.execute(db());
    expect((await first.caller.get(first.path)).status).toBe(404);
  });
});
