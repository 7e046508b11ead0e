import { randomBytes } from 'node:crypto';
import {
  accounts,
  type AccountsPluginOptions,
  ApiKeys,
  AuditLog,
  operatorControllers,
  SignUp,
} from '@app/accounts';
import { Roles, UseStrategy } from '@app/auth';
import { exposureOf, Returns } from '@app/contract';
import { Database } from '@app/persistence';
import { migratedDatabase } from '@app/persistence/testing';
import {
  definePlugin,
  defineProgram,
  describeRoutes,
  librarySchemas,
  makeProgram,
  readSettings,
} from '@app/service';
import { type BootedProgram, bootProgram, newEmail } from '@app/service/testing';
import { Controller, Get, type Type } from '@nestjs/common';

@Controller('drafts')
class DraftsController {
  @Get()
  @Roles('editor', 'admin')
  @UseStrategy('jwt', 'api-key')
  @Returns('text')
  read(): string {
    return 'drafts';
  }
}

/** Operators' users, in an application with roles. */
function planOf(controllers: readonly Type[], roles?: AccountsPluginOptions['roles']) {
  return defineProgram({
    name: 'roles',
    plugins: [
      accounts({ controllers: operatorControllers, roles }),
      definePlugin({ name: 'routes', controllers }),
    ],
  });
}

const named = () => ({
  email: newEmail(),
  password: 'a long password',
  firstName: 'Grace',
  lastName: 'Hopper',
});

async function newcomerOf(program: BootedProgram) {
  const body = named();
  const { id } = await program.app().get(SignUp, { strict: false }).create(body);
  return { id, client: await program().signIn(body.email, body.password) };
}

const storedRole = (program: BootedProgram, id: number) =>
  program
    .app()
    .get(Database, { strict: false })
    .selectFrom('account')
    .select('role')
    .where('id', '=', id)
    .executeTakeFirst();

describe('roles that an application declares', () => {
  const program = bootProgram(planOf([DraftsController], ['user', 'editor', 'admin']));

  it('are given by administrators, recorded, and in force at once, for API keys too', async () => {
    const operator = await program.administrator();
    const { id, client } = await newcomerOf(program);
    const { userId } = (await client.get('/auth/profile')).json;
    const { key } = await program.app().get(ApiKeys).create({ userId }, { name: 'drafts' });
    const byKey = program().with({ 'x-api-key': key });
    const statuses = async () => [(await client.get('/drafts')).status, (await byKey.get('/drafts')).status];
    expect(await statuses()).toEqual([403, 403]);
    expect((await operator.patch(`/users/${id}`, { role: 'editor' })).json.role).toBe('editor');
    expect(await statuses()).toEqual([200, 200]);
    expect((await client.get('/users')).status).toBe(403);
    const events = await program.app().get(AuditLog).list({ limit: 10, offset: 0 }, { accountId: id });
    const changes = events.filter(({ kind }) => kind === 'role-changed');
    expect(changes.map(({ detail }) => detail)).toEqual(['{"role":"editor"}']);
  });

  it('refuse one that is not declared', async () => {
    const operator = await program.administrator();
    const { id } = await newcomerOf(program);
    const { status, json } = await operator.patch(`/users/${id}`, { role: 'owner' });
    expect(status).toBe(400);
    expect(json.message).toEqual(['role must be one of the following values: user, editor, admin']);
  });

  it('keep the last administrator, whatever role it would get', async () => {
    const operator = await program.administrator();
    const { userId } = (await operator.get('/auth/profile')).json;
    const { status, json } = await operator.patch(`/users/${userId}`, { role: 'editor' });
    expect([status, json.message]).toEqual([
      409,
      'this is the last administrator: make another account one first',
    ]);
  });

  it('are in the contract', () => {
    const routes = describeRoutes(program.app());
    expect(exposureOf(routes)['GET /drafts']).toMatchObject({ audience: 'user', roles: ['editor', 'admin'] });
    expect(exposureOf(routes)['PATCH /users/:id']?.accepts['body.role']).toEqual(
      expect.arrayContaining([expect.stringContaining('editor')]),
    );
  });
});

describe('a stored role that a program does not declare', () => {
  const program = bootProgram(planOf([]));

  async function withRole(role: string) {
    const { id, client } = await newcomerOf(program);
    const db = program.app().get(Database, { strict: false });
    await db.updateTable('account').set({ role }).where('id', '=', id).execute();
    return { id, client };
  }

  it.each(['editor', 'Admin', 'admin '])('permits what a user is permitted: %s', async (role) => {
    const { client } = await withRole(role);
    expect((await client.get('/users')).status).toBe(403);
    expect((await client.get('/auth/sessions')).status).toBe(200);
  });

  it('is shown as user, and stays stored until it is changed', async () => {
    const operator = await program.administrator();
    const { id } = await withRole('editor');
    expect((await operator.get(`/users/${id}`)).json.role).toBe('user');
    const { items } = (await operator.get('/users?limit=100')).json;
    expect(items.find((item: { id: number }) => item.id === id)).toMatchObject({ role: 'user' });
    await operator.patch(`/users/${id}`, { disabled: true });
    expect(await storedRole(program, id)).toEqual({ role: 'editor' });
    await operator.patch(`/users/${id}`, { role: 'user' });
    expect(await storedRole(program, id)).toEqual({ role: 'user' });
  });
});

it('a route of a role that is not declared ends the start', async () => {
  const database = await migratedDatabase(librarySchemas);
  try {
    const plan = planOf([DraftsController], ['user', 'author', 'admin']);
    const settings = readSettings(plan.declarations, {
      LOG_LEVEL: 'silent',
      DATABASE_URL: database.url,
      JWT_SECRET: randomBytes(32).toString('base64url'),
    });
    await expect(makeProgram({ name: plan.name, module: plan.module(settings), settings })).rejects.toThrow(
      /SLUICE-C304.*'editor'/s,
    );
  } finally {
    await database.remove();
  }
});
