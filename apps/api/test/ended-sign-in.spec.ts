import { RevocationFeed } from '@app/accounts';
import { newEmail } from '@app/service/testing';
import { bootPair } from '../testing/boot-pair';

const password = 'correct horse battery staple';

describe('a sign-in that ended at one program, before the other one reads of it (D35)', () => {
  const api = bootPair();
  beforeAll(() => api.app(1).get(RevocationFeed, { strict: false }).stop());

  it.each([
    ['/auth/sessions', 'POST', '/auth/logout'],
    ['/auth/login', 'POST', '/auth/logout'],
    ['/auth/sessions', 'DELETE', '/auth/sessions/:id'],
  ])('of %s, by %s %s, makes no key, changes nothing, and deletes nothing', async (open, method, end) => {
    const email = newEmail();
    const path = (await api(0).post('/users', { email, password })).headers.get('location') ?? '';
    const token = (await api(0).post(open, { username: email, password })).json.access_token;
    const [here, there] = [api(0).as(token), api(1).as(token)];
    expect((await there.post('/auth/api-keys', { name: 'before' })).status).toBe(201);
    const session = (await here.get('/auth/sessions')).json.items[0]?.id;
    expect((await here.send(method, end.replace(':id', session))).status).toBe(204);
    expect([(await here.get(path)).status, (await there.get(path)).status]).toEqual([401, 200]);
    const changes = [
      await there.post('/auth/api-keys', { name: 'after' }),
      await there.patch(path, { email, password: 'another password' }),
      await there.patch(path, { email: newEmail() }),
      await there.delete('/users/me'),
    ];
    expect(changes.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    const again = await api(0).signIn(email, password);
    expect((await again.get('/auth/api-keys')).json.items).toMatchObject([{ name: 'before' }]);
  });
});
