import { newEmail } from '@app/service/testing';
import { bootAdmin } from '../testing/boot-admin';

const named = () => ({
  email: newEmail(),
  password: 'a long password',
  firstName: 'Grace',
  lastName: 'Hopper',
});

describe('users, for operators', () => {
  const admin = bootAdmin();

  it('keeps the last administrator', async () => {
    const operator = await admin.administrator();
    const { userId } = (await operator.get('/auth/profile')).json;
    for (const change of [{ role: 'user' }, { disabled: true }]) {
      const { status, json } = await operator.patch(`/users/${userId}`, change);
      expect([status, json.error]).toEqual([409, 'Conflict']);
    }
    expect((await operator.delete(`/users/${userId}`)).status).toBe(409);
  });

  it('keeps one of two administrators who remove each other concurrently', async () => {
    const operator = await admin.administrator();
    const body = named();
    const second = (await operator.post('/users', body)).json.id;
    await operator.patch(`/users/${second}`, { role: 'admin' });
    const rival = await admin().signIn(body.email, body.password);
    const { userId: first } = (await operator.get('/auth/profile')).json;

    const answers = await Promise.all([
      operator.patch(`/users/${second}`, { role: 'user' }),
      rival.patch(`/users/${first}`, { role: 'user' }),
    ]);
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses[0]).toBe(200);
    expect([403, 409]).toContain(statuses[1]);
    const survivor = answers[0].status === 200 ? operator : rival;
    const role = answers[0].status === 200 ? first : second;
    expect((await survivor.get(`/users/${role}`)).json.role).toBe('admin');
    await survivor.patch(`/users/${first}`, { role: 'admin' });
  });

  it('are searched by their e-mail, in any spelling', async () => {
    const operator = await admin.administrator();
    const body = named();
    const { id } = (await operator.post('/users', body)).json;
    await operator.post('/users', named());
    const search = async (query: string) => {
      const { status, json, headers } = await operator.get(`/users?${query}`);
      expect([status, headers.get('link')?.includes('rel="next"') ?? false]).toEqual([200, false]);
      return json.items.map((user: { id: number }) => user.id);
    };
    const email = encodeURIComponent(body.email);
    expect(await search(`email=${email}`)).toEqual([id]);
    expect(await search(`email=${encodeURIComponent(body.email.toUpperCase())}&limit=1`)).toEqual([id]);
    expect(await search(`email=${email}&page=2`)).toEqual([]);
    expect(await search(`email=${encodeURIComponent(newEmail())}`)).toEqual([]);
    expect(await search('email=none')).toEqual([]);
    expect((await operator.get(`/users?email=${'a'.repeat(255)}`)).status).toBe(400);
  });

  it('rejects an invalid role or status', async () => {
    const operator = await admin.administrator();
    const { id } = (await operator.post('/users', named())).json;
    const { status, json } = await operator.patch(`/users/${id}`, { role: 'king', disabled: 'yes' });
    expect(status).toBe(400);
    expect(json.message).toEqual([
      'role must be one of the following values: user, admin',
      'disabled must be a boolean value',
    ]);
    expect((await operator.patch(`/users/${id}`, { role: null })).status).toBe(400);
    expect((await operator.patch(`/users/${id}`, {})).json.id).toBe(id);
  });

  it('rejects an account without first and last name', async () => {
    const operator = await admin.administrator();
    const { status, json } = await operator.post('/users', {
      ...named(),
      firstName: 'G',
      fullName: 'Grace Hopper',
    });
    expect(status).toBe(400);
    expect(json.message).toEqual([
      'property fullName should not exist',
      'firstName must be longer than or equal to 2 characters',
    ]);
  });

  it('rejects an e-mail that is taken', async () => {
    const operator = await admin.administrator();
    const body = named();
    await operator.post('/users', body);
    const { status, json } = await operator.post('/users', { ...body, email: body.email.toUpperCase() });
    expect([status, json.message]).toEqual([409, 'email is already taken']);
  });
});
