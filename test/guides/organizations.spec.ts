import { MembersStore } from '@app/organizations';
import { Database } from '@app/persistence';
import { describeRoutes } from '@app/service';
import { bootProgram } from '@app/service/testing';
import { program } from '../../docs/guides/organizations.md';

describe('docs/guides/organizations.md', () => {
  const shop = bootProgram(program);

  it('restricts routes by role and by permission', async () => {
    const [owner, member] = [await shop.newcomer(), await shop.newcomer()];
    const { id } = (await owner.post('/organizations', { name: 'Kestrel' })).json;
    const path = `/organizations/${id}/projects`;
    expect((await member.get(path)).status).toBe(404);
    const { userId: accountId } = (await member.get('/auth/profile')).json;
    const membership = { organizationId: id, accountId, role: 'admin', createdAt: new Date() };
    const db = shop.app().get(Database, { strict: false });
    await shop.app().get(MembersStore, { strict: false }).insert(membership, db);
    const statuses = async (client: typeof owner) => [
      (await client.get(path)).text,
      (await client.post(path, {})).status,
      (await client.send('DELETE', path)).status,
    ];
    expect(await statuses(owner)).toEqual([`owner of ${id}`, 204, 204]);
    expect(await statuses(member)).toEqual([`admin of ${id}`, 204, 403]);
  });

  it('describes the roles', () => {
    const routes = describeRoutes(shop.app()).filter(({ path }) => path.endsWith('/projects'));
    const roles = routes.map(({ method, callers }) => [method, callers.facets?.map(({ value }) => value)]);
    expect(Object.fromEntries(roles)).toEqual({
      GET: [['owner', 'admin', 'member']],
      POST: [['owner', 'admin']],
      DELETE: [['owner']],
    });
  });
});
