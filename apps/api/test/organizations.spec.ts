import { setTimeout as pause } from 'node:timers/promises';
import { AccountsStore, AuditLog } from '@app/accounts';
import { Caller, Recent } from '@app/auth';
import { ById, Returns, RowId } from '@app/contract';
import { type Member, MembersStore, organizations, OrganizationsStore } from '@app/organizations';
import { Database, type JobRunner, jobToken } from '@app/persistence';
import { temporaryDatabase, type TemporaryDatabase } from '@app/persistence/testing';
import { Client, newEmail } from '@app/service/testing';
import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { IsString } from 'class-validator';
import { bootApi } from '../testing/boot-api';
import { startApi } from '../testing/start-api';

const password = 'correct horse battery staple';

const { Member: OnlyMember, May } = organizations({
  roles: { owner: '*', admin: ['project:write'], member: ['project:read'] },
});

class NewProject {
  @IsString() title!: string;
}

class ByProject extends ById {
  @RowId() organizationId!: number;
}

@Controller('organizations/:organizationId/fixture-projects')
@OnlyMember()
class FixtureProjectsController {
  @Get()
  @May('project:read')
  @Returns('text')
  list(@Caller() { membership }: Member): string {
    return `${membership.role} of ${membership.tenantId}`;
  }

  @Post()
  @May('project:write')
  @Returns('nothing')
  create(@Body() _project: NewProject): void {}

  @Delete(':id')
  @OnlyMember('admin')
  @Recent('15m')
  @Returns('nothing')
  remove(@Param() _project: ByProject): void {}
}

/** A person with an account. */
interface Person {
  readonly id: number;
  readonly email: string;
  readonly client: Client;
}

async function signUp(anonymous: Client): Promise<Person> {
  const email = newEmail();
  const { headers } = await anonymous.post('/users', { email, password });
  const id = Number(headers.get('location')?.split('/').at(-1));
  return { id, email, client: await anonymous.signIn(email, password) };
}

describe('organizations', () => {
  const api = bootApi({
    controllers: [FixtureProjectsController],
    env: { SIGN_UP_ADDRESS_LIMIT: 'off', RATE_LIMIT: 'off' },
  });
  const person = () => signUp(api());

  async function organizationOf(owner: Person): Promise<string> {
    const { status, json, headers } = await owner.client.post('/organizations', { name: 'Kestrel' });
    expect([status, json]).toEqual([
      201,
      { id: expect.any(Number), name: 'Kestrel', role: 'owner', createdAt: expect.any(String) },
    ]);
    expect(headers.get('location')).toBe(`/organizations/${json.id}`);
    return `/organizations/${json.id}`;
  }

  /** Adds a member as an accepted invitation does. */
  async function join(path: string, { id: accountId }: Person, role: string): Promise<void> {
    const organizationId = Number(path.split('/').at(-1));
    const store = api.app().get(MembersStore, { strict: false });
    await store.insert(
      { organizationId, accountId, role, createdAt: new Date() },
      api.app().get(Database, { strict: false }),
    );
  }

  it('are created by their owner, who reads, lists and renames them', async () => {
    const owner = await person();
    const path = await organizationOf(owner);
    expect((await owner.client.get(path)).json).toMatchObject({ name: 'Kestrel', role: 'owner' });
    expect((await owner.client.patch(path, { name: 'Merlin' })).json).toMatchObject({ name: 'Merlin' });
    expect((await owner.client.get('/organizations')).json.items).toMatchObject([{ name: 'Merlin' }]);
    expect((await owner.client.get(`${path}/members`)).json.items).toEqual([
      { accountId: owner.id, email: owner.email, role: 'owner', createdAt: expect.any(String) },
    ]);
  });

  it('do not exist for others, before validation and on every route, whether or not they exist', async () => {
    const [owner, stranger] = [await person(), await person()];
    const path = await organizationOf(owner);
    const routes: readonly (readonly [method: string, path: string])[] = [
      ['GET', ''],
      ['PATCH', ''],
      ['GET', '/members'],
      ['PATCH', `/members/${owner.id}`],
      ['DELETE', `/members/${owner.id}`],
      ['PATCH', '/members/x'],
      ['GET', '/fixture-projects'],
      ['POST', '/fixture-projects'],
      ['DELETE', '/fixture-projects/x'],
    ];
    for (const [method, below] of routes) {
      const replies = [];
      for (const organization of [path, '/organizations/999999999']) {
        const { status, json } = await stranger.client.send(
          method,
          organization + below,
          method === 'GET' ? undefined : {},
        );
        replies.push([status, json.message.replace(/\d+$/, 'N')]);
      }
      expect(replies, `${method} ${below}`).toEqual([
        [404, 'there is no organization N'],
        [404, 'there is no organization N'],
      ]);
    }
    for (const id of ['0', '-1', '01', '1e3', 'x', '9'.repeat(20)])
      expect((await stranger.client.get(`/organizations/${id}`)).status).toBe(404);
    expect((await api().get(path)).status).toBe(401);
  });

  it('admit members by role and by permission', async () => {
    const [owner, admin, member] = [await person(), await person(), await person()];
    const path = await organizationOf(owner);
    await join(path, admin, 'admin');
    await join(path, member, 'member');
    const statuses = async ({ client }: Person) => [
      (await client.get(`${path}/fixture-projects`)).status,
      (await client.post(`${path}/fixture-projects`, { title: 'One' })).status,
      (await client.post(`${path}/fixture-projects`, {})).status,
      (await client.send('DELETE', `${path}/fixture-projects/1`)).status,
      (await client.patch(path, { name: 'Merlin' })).status,
    ];
    expect(await statuses(owner)).toEqual([200, 201, 400, 200, 200]);
    // The roles of the program give project:read to members alone.
    expect(await statuses(admin)).toEqual([403, 201, 400, 200, 200]);
    expect(await statuses(member)).toEqual([200, 403, 403, 403, 403]);
    expect((await member.client.post(`${path}/fixture-projects`, {})).json).toEqual({
      statusCode: 403,
      message: 'your role in this organization does not permit this',
      error: 'Forbidden',
    });
  });

  it('describe who may call a route', async () => {
    const { paths } = (await api().get('/openapi.json')).json;
    const { patch } = paths['/organizations/{organizationId}/members/{accountId}'];
    expect(patch['x-members']).toEqual(['owner', 'admin']);
    expect(patch.description).toContain(
      '404 unless the caller is a member of the organization, and 403 unless the role is `owner` or `admin`.',
    );
    expect(JSON.stringify(patch.responses['404'])).toContain('Status404');
  });

  it('let members change roles that their own role covers', async () => {
    const [owner, admin, member] = [await person(), await person(), await person()];
    const path = await organizationOf(owner);
    await join(path, admin, 'admin');
    await join(path, member, 'member');
    const change = async (by: Person, of: Person, role: string) =>
      (await by.client.patch(`${path}/members/${of.id}`, { role })).status;
    expect(await change(admin, member, 'admin')).toBe(200);
    expect(await change(admin, member, 'owner')).toBe(403);
    expect(await change(admin, owner, 'member')).toBe(403);
    expect(await change(admin, admin, 'owner')).toBe(403);
    expect(await change(owner, member, 'nobody')).toBe(400);
    expect(await change(owner, member, 'owner')).toBe(200);
    expect((await member.client.get(path)).json.role).toBe('owner');
    expect((await owner.client.patch(`${path}/members/999999999`, { role: 'admin' })).status).toBe(404);
  });

  it('let members leave, and be removed by members who cover their role', async () => {
    const [owner, admin, member] = [await person(), await person(), await person()];
    const path = await organizationOf(owner);
    await join(path, admin, 'admin');
    await join(path, member, 'member');
    const remove = async (by: Person, of: Person) =>
      (await by.client.send('DELETE', `${path}/members/${of.id}`)).status;
    expect(await remove(member, admin)).toBe(403);
    expect(await remove(admin, owner)).toBe(403);
    expect(await remove(member, member)).toBe(204);
    expect((await member.client.get(path)).status).toBe(404);
    expect(await remove(owner, admin)).toBe(204);
    expect((await admin.client.get(path)).status).toBe(404);
    expect(await remove(owner, owner)).toBe(409);
  });

  it('keep their last owner', async () => {
    const owner = await person();
    const path = await organizationOf(owner);
    const { status, json } = await owner.client.patch(`${path}/members/${owner.id}`, { role: 'admin' });
    expect([status, json.message]).toEqual([
      409,
      'this is the last owner of the organization: make another member an owner first',
    ]);
  });

  it('let one of two owners win who demote each other at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [first, second] = [await person(), await person()];
      const path = await organizationOf(first);
      await join(path, second, 'owner');
      const replies = await Promise.all([
        first.client.patch(`${path}/members/${second.id}`, { role: 'member' }),
        second.client.patch(`${path}/members/${first.id}`, { role: 'member' }),
      ]);
      expect(replies.map(({ status }) => String(status)).toSorted()).toEqual(['200', '403']);
      const roles = await Promise.all(
        [first, second].map(async ({ client }) => (await client.get(path)).json.role),
      );
      expect(new Set(roles)).toEqual(new Set(['member', 'owner']));
    }
  });

  it('have a new owner after a transfer, and the former owner gets the role of the new one', async () => {
    const [owner, member] = [await person(), await person()];
    const path = await organizationOf(owner);
    await join(path, member, 'member');
    const transfer = (accountId: number) => owner.client.post(`${path}/transfer`, { accountId });
    expect((await transfer(999_999_999)).status).toBe(404);
    expect((await transfer(member.id)).json).toMatchObject({ role: 'member' });
    expect((await member.client.get(path)).json.role).toBe('owner');
    expect((await transfer(owner.id)).status).toBe(403);
  });

  it('do not exist once they are deleted, and a job deletes their rows', async () => {
    const [owner, member] = [await person(), await person()];
    const path = await organizationOf(owner);
    const id = Number(path.split('/').at(-1));
    await join(path, member, 'member');
    expect((await member.client.get(path)).status).toBe(200);
    expect((await member.client.send('DELETE', path)).status).toBe(403);
    expect((await owner.client.send('DELETE', path)).status).toBe(204);
    for (const { client } of [owner, member]) expect((await client.get(path)).status).toBe(404);
    expect((await owner.client.get('/organizations')).json.items).toEqual([]);
    const job: JobRunner = api.app().get(jobToken('organizations'), { strict: false });
    await job.run();
    const db = api.app().get(Database, { strict: false });
    expect(await db.selectFrom('organization').select('id').where('id', '=', id).execute()).toEqual([]);
    const left = db.selectFrom('organizationEvent').select('id').where('organizationId', '=', id);
    expect(await left.execute()).toEqual([]);
  });

  it('are deleted when the account of their last member was deleted', async () => {
    const [owner, neighbour] = [await person(), await person()];
    const [path, kept] = [await organizationOf(owner), await organizationOf(neighbour)];
    await api.app().get(AccountsStore, { strict: false }).remove(owner.id);
    const job: JobRunner = api.app().get(jobToken('memberless-organizations'), { strict: false });
    await job.run();
    const db = api.app().get(Database, { strict: false });
    const deleted = async (of: string) => {
      const row = db.selectFrom('organization').select('deletedAt');
      const { deletedAt } = await row
        .where('id', '=', Number(of.split('/').at(-1)))
        .executeTakeFirstOrThrow();
      return deletedAt !== null;
    };
    expect([await deleted(path), await deleted(kept)]).toEqual([true, false]);
  });

  it('show their events to members with the permission', async () => {
    const [owner, member] = [await person(), await person()];
    const path = await organizationOf(owner);
    await join(path, member, 'member');
    await owner.client.patch(`${path}/members/${member.id}`, { role: 'admin' });
    expect((await member.client.get(`${path}/audit`)).json.items).toEqual([
      {
        id: expect.any(Number),
        kind: 'member-changed',
        accountId: member.id,
        actorId: owner.id,
        role: 'admin',
        createdAt: expect.any(String),
      },
      expect.objectContaining({ kind: 'organization-created', accountId: null, role: null }),
    ]);
    await owner.client.patch(`${path}/members/${member.id}`, { role: 'member' });
    expect((await member.client.get(`${path}/audit`)).status).toBe(403);
  });

  it('are at most a hundred of an account', async () => {
    const owner = await person();
    const store = api.app().get(OrganizationsStore, { strict: false });
    const db = api.app().get(Database, { strict: false });
    for (let at = 0; at < 100; at += 1)
      await join(`/${await store.insert(`Organization ${at}`, db)}`, owner, 'member');
    const { status, json } = await owner.client.post('/organizations', { name: 'Kestrel' });
    expect([status, json.message]).toEqual([
      409,
      'this account is a member of too many organizations: leave one first',
    ]);
    expect((await owner.client.get('/organizations?limit=100')).json.items).toHaveLength(100);
  });

  it('are in the audit log and in the export of their members', async () => {
    const owner = await person();
    const path = await organizationOf(owner);
    const audit = api.app().get(AuditLog, { strict: false });
    const [event] = await audit.list(
      { limit: 1, offset: 0 },
      { accountId: owner.id, kind: 'organization-created' },
    );
    expect(JSON.parse(event?.detail ?? '')).toEqual({ organizationId: Number(path.split('/').at(-1)) });
    expect((await owner.client.get('/users/me/export')).json.organizations).toMatchObject([
      { name: 'Kestrel', role: 'owner' },
    ]);
  });

  it('lose the memberships of a deleted account', async () => {
    const [owner, member] = [await person(), await person()];
    const path = await organizationOf(owner);
    await join(path, member, 'member');
    await api.app().get(AccountsStore, { strict: false }).remove(member.id);
    expect((await owner.client.get(`${path}/members`)).json.items).toHaveLength(1);
  });
});

describe('a membership that one program revokes', () => {
  let place: TemporaryDatabase;
  const running: NestFastifyApplication[] = [];
  async function start(): Promise<Client> {
    const app = await startApi(place.url, { JWT_SECRET: 'k3Jv0pPz7Qm2rS9tU4wX1yA6bC8dE5fG' });
    running.push(app);
    return new Client(await app.getUrl());
  }
  beforeAll(async () => {
    place = await temporaryDatabase();
  });
  afterAll(async () => {
    await Promise.all(running.map((app) => app.close()));
    await place.remove();
  });

  it('ends in the other program within a second, and a new membership is known at once', async () => {
    const [here, there] = [await start(), await start()];
    const [owner, member] = [await signUp(here), await signUp(here)];
    const { json } = await owner.client.post('/organizations', { name: 'Kestrel' });
    const path = `/organizations/${json.id}`;
    const elsewhere = await there.signIn(member.email, password);
    expect((await elsewhere.get(path)).status).toBe(404);
    const db = running[0]?.get(Database, { strict: false });
    await running[0]
      ?.get(MembersStore, { strict: false })
      .insert({ organizationId: json.id, accountId: member.id, role: 'member', createdAt: new Date() }, db);
    expect((await elsewhere.get(path)).status).toBe(200);
    expect((await owner.client.send('DELETE', `${path}/members/${member.id}`)).status).toBe(204);
    const startedAt = performance.now();
    while ((await elsewhere.get(path)).status !== 404 && performance.now() - startedAt < 5000)
      await pause(10);
    expect(performance.now() - startedAt).toBeLessThan(1000);
  });
});
