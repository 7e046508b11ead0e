import { AccountsStore, AuditLog } from '@app/accounts';
import { useAccountsDatabase } from '@app/accounts/testing';
import { QueryRecord } from '@app/persistence/testing';
import { organizationsSchema } from '../testing/organizations-schema';
import { OrganizationEvents } from './events/organization-events';
import { InvitationsStore } from './invitations/invitations.store';
import { MembersStore } from './members/members.store';
import { OrganizationsStore } from './organization/organizations.store';
import { deleteMemberless, purgeDeleted } from './organization/purge';

describe('the queries of organizations', () => {
  const store = useAccountsDatabase(organizationsSchema);
  const record = new QueryRecord();

  beforeEach(async () => {
    const { db } = store;
    const { id: accountId } = await new AccountsStore(db).insert({
      email: 'ada@example.com',
      passwordHash: 'a hash',
    });
    const [organizations, members] = [new OrganizationsStore(db), new MembersStore(db)];
    const organizationId = await organizations.insert('Kestrel', db);
    await members.insert({ organizationId, accountId, role: 'owner', createdAt: new Date() }, db);
    for (const after of [undefined, 0]) {
      await members.list(organizationId, { limit: 10, offset: 0, after });
      await organizations.list(accountId, { limit: 10, offset: 0, after });
      await organizations.listAll({ limit: 10, offset: 0, after });
    }
    await organizations.find(organizationId, accountId);
    await organizations.findAny(organizationId);
    await organizations.update(organizationId, { name: 'Merlin' }, db);
    await organizations.lock(organizationId, db);
    await members.find(organizationId, accountId);
    await members.roleOf(organizationId, accountId);
    await members.withRole(organizationId, 'owner', 2, db);
    await members.countOf(accountId, 100, db);
    const invitations = new InvitationsStore(db);
    const times = { createdAt: new Date(), expiresAt: new Date(Date.now() + 60_000) };
    const invited = { organizationId, email: 'Ada@example.com', emailKey: 'ada@example.com', role: 'member' };
    const { id } = await invitations.insert(
      { ...invited, tokenHash: 'h', invitedBy: accountId, ...times },
      db,
    );
    for (const after of [undefined, 0])
      await invitations.list(organizationId, { limit: 10, offset: 0, after });
    await invitations.findByToken('h', db);
    await invitations.findByEmail('ada@example.com', db);
    for (const named of [{ emailKey: 'ada@example.com' }, { invitedBy: accountId }, { id }])
      await invitations.remove(organizationId, named, db);
    await invitations.deleteExpired(new Date(), 10);
    const events = new OrganizationEvents(db, new AuditLog(db, 'tests'));
    await events.record({ kind: 'organization-created', organizationId, actorId: accountId }, db);
    for (const after of [undefined, 1]) await events.list(organizationId, { limit: 10, offset: 0, after });
    await events.deleteOlder(new Date(0), 10);
    await members.setRole(organizationId, accountId, 'admin', db);
    await members.remove(organizationId, accountId, db);
    const inBatches = async (work: (limit: number) => Promise<number>) => void (await work(10));
    await deleteMemberless(db, { inBatches });
    await organizations.update(organizationId, { deletedAt: new Date() }, db);
    await purgeDeleted(db, { inBatches, mayContinue: () => Promise.resolve(true) });
  });

  it('read no growing table completely', async () => {
    expect(record.unexecuted('libs/organizations/src')).toEqual({});
    expect(await record.fullScans(store.db)).toEqual([]);
  });
});
