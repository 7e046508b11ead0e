import { operatorControllers, SignUp } from '@app/accounts';
import { newEmail } from '@app/service/testing';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Profile, ProfilesController, profileTable } from '../../docs/guides/user-profile.md';
import { bootGuide } from './boot-guide';

const password = 'correct horse battery staple';

describe('docs/guides/user-profile.md', () => {
  const program = bootGuide({
    tables: [profileTable],
    controllers: [ProfilesController],
    accounts: { profile: Profile },
  });

  it('is accepted by sign-up and change, and sent in views', async () => {
    const email = newEmail();
    const body = { email, password, username: 'ada', displayName: 'Ada' };
    const { headers, status } = await program().post('/users', body);
    expect(status).toBe(201);
    const client = await program().signIn(email, password);
    const user = { id: expect.any(Number), email, username: 'ada', displayName: 'Ada', image: null };
    expect((await client.get('/users/me')).json).toEqual(user);
    const changed = await client.patch(headers.get('location') ?? '', { displayName: 'Ada L.' });
    expect([changed.status, changed.json]).toEqual([200, { displayName: 'Ada L.' }]);
    expect((await program().get('/profiles/ada')).json).toEqual({ username: 'ada', displayName: 'Ada L.' });
  });

  it('refuses a name that is taken', async () => {
    const { status, json } = await program()
      .with({ accept: 'application/problem+json' })
      .post('/users', { email: newEmail(), password, username: 'ada' });
    expect(status).toBe(409);
    expect(json).toMatchObject({
      code: 'profile-conflict',
      errors: [{ pointer: '/username', detail: 'username is already taken' }],
    });
  });

  it('has a valid OpenAPI document', async () => {
    const { json } = await program().get('/openapi.json');
    expect(await new Validator().validate(json)).toMatchObject({ valid: true });
  });
});

describe('docs/guides/user-profile.md, for operators', () => {
  const program = bootGuide({
    tables: [profileTable],
    accounts: { profile: Profile, controllers: operatorControllers },
  });

  it('is sent to them, and null or absent for an account that they create', async () => {
    const operator = await program.administrator();
    const body = { email: newEmail(), password, firstName: 'Ada', lastName: 'Lovelace' };
    const created = await operator.post('/users', body);
    expect([created.status, created.json.image, 'username' in created.json]).toEqual([201, null, false]);
    const { id } = created.json;
    const named = { email: newEmail(), password, profile: { username: 'grace' } };
    await program.app().get(SignUp).create(named);
    const { items } = (await operator.get('/users')).json;
    expect(items.map(({ username }: { username?: string }) => username)).toEqual([
      undefined,
      undefined,
      'grace',
    ]);
    expect((await operator.patch(`/users/${id}`, { disabled: true })).json).toMatchObject({ image: null });
    expect((await operator.patch(`/users/${id}`, { username: 'eve' })).status).toBe(400);
  });
});
