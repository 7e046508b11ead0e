import { operatorControllers, SignUp } from '@app/accounts';
import { type Client, newEmail } from '@app/service/testing';
import { ArticlesController, roles } from '../../docs/guides/who-may-call.md';
import { bootGuide } from './boot-guide';

const password = 'correct horse battery staple';

describe('docs/guides/who-may-call.md', () => {
  const program = bootGuide({
    controllers: [ArticlesController],
    accounts: { roles, controllers: operatorControllers },
  });

  async function newcomer(): Promise<{ id: number; client: Client }> {
    const email = newEmail();
    const { id } = await program.app().get(SignUp).create({ email, password });
    return { id, client: await program().signIn(email, password) };
  }

  it('gives a role, which the next request has', async () => {
    const operator = await program.administrator();
    const { id, client } = await newcomer();
    expect((await client.post('/articles/publication')).status).toBe(403);
    const changed = await operator.patch(`/users/${id}`, { role: 'editor' });
    expect([changed.status, changed.json.role]).toEqual([200, 'editor']);
    expect((await client.post('/articles/publication')).status).toBe(204);
    expect((await client.get('/users')).status).toBe(403);
    expect((await operator.post('/articles/publication')).status).toBe(204);
  });

  it('has the declared names in its contract, and accepts no others', async () => {
    const operator = await program.administrator();
    const { id } = await newcomer();
    const { status, json } = await operator.patch(`/users/${id}`, { role: 'owner' });
    expect([status, json.message]).toEqual([
      400,
      ['role must be one of the following values: user, editor, admin'],
    ]);
    const { components } = (await program().get('/openapi.json')).json;
    const { ChangeAccountState, 'OperatorsUser.admin': OperatorsUser } = components.schemas;
    const names = ['user', 'editor', 'admin'];
    expect(ChangeAccountState.properties.role.enum).toEqual(names);
    expect(OperatorsUser.properties.role.enum).toEqual(names);
  });
});
