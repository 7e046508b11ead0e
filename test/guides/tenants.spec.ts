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
    const one = await addTenant('one');
    const other = await addTenant('other');
    const created = await one.caller.post(one.path, { title: 'plan' });
    expect(created.status).toBe(201);
    const { id } = created.json;
    expect((await one.caller.get(one.path)).json.items).toEqual([{ id, title: 'plan' }]);
    expect((await one.caller.get(`${one.path}/${id}`)).json).toEqual({ id, title: 'plan' });

    expect((await other.caller.get(other.path)).json.items).toEqual([]);
    const refused = await Promise.all([
      other.caller.get(`${other.path}/${id}`),
      other.caller.get(`${one.path}/${id}`),
      other.caller.get(one.path),
      other.caller.post(one.path, { title: 'not mine' }),
      one.caller.get('/tenants/999/documents'),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect((await program().get(one.path)).status).toBe(401);

    await sql`delete from member`.execute(db());
    expect((await one.caller.get(one.path)).status).toBe(404);
  });
});
