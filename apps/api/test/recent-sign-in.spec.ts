import { newEmail } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';
import { useFakeClock } from '../testing/fake-clock';

const password = 'correct horse battery staple';
const refused = { statusCode: 403, message: 'a recent sign-in is needed', error: 'Forbidden' };

describe('what changes credentials needs a recent sign-in (D23)', () => {
  const api = bootApi();
  const clock = useFakeClock(api);

  async function signUp() {
    const email = newEmail();
    const { headers } = await api().post('/users', { email, password });
    return { email, path: headers.get('location') ?? '' };
  }
  const refresh = async (refresh_token: string) =>
    (await api().post('/auth/refresh', { refresh_token })).json;

  it('of a session, which refreshing it does not renew', async () => {
    const { email, path } = await signUp();
    const session = (await api().post('/auth/sessions', { username: email, password })).json;
    clock.pass(14 * 60_000);
    const soon = await refresh(session.refresh_token);
    expect((await api().as(soon.access_token).patch(path, { email })).status).toBe(200);
    clock.pass(2 * 60_000);
    const late = api().as((await refresh(soon.refresh_token)).access_token);
    const changes = [
      await late.patch(path, { email: newEmail() }),
      await late.patch(path, { email, password: 'another password' }),
      await late.post('/auth/api-keys', { name: 'robot' }),
    ];
    expect(changes.map(({ status, json }) => [status, json])).toEqual(changes.map(() => [403, refused]));
    expect((await late.get(path)).status).toBe(200);
    const again = await api().signIn(email, password);
    expect((await again.post('/auth/api-keys', { name: 'robot' })).status).toBe(201);
    expect((await again.patch(path, { email, password: 'another password' })).status).toBe(200);
  });

  it('and is checked before the body, and after the role', async () => {
    const { email, path } = await signUp();
    const session = (await api().post('/auth/sessions', { username: email, password })).json;
    clock.pass(16 * 60_000);
    const late = api().as((await refresh(session.refresh_token)).access_token);
    expect((await late.patch(path, { odd: true })).json).toEqual(refused);
    expect((await api().patch(path, { email })).status).toBe(401);
  });
});
