import { AuditLog } from '@app/accounts';
import { Outbox } from '@app/mail';
import { type BootedProgram, newEmail } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';
import { useFakeClock } from '../testing/fake-clock';

const password = 'correct horse battery staple';
const DAY = 24 * 3_600_000;
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:120.0) Gecko/20100101 Firefox/120.0';
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1';
const [home, cafe] = ['192.0.2.1', '198.51.100.7'];

/** Signs in, and reads the mails. */
function useOwner(api: BootedProgram) {
  const outbox = () => api.app().get(Outbox, { strict: false });
  return async () => {
    const username = newEmail();
    const { headers } = await api().post('/users', { email: username, password });
    const from = (userAgent: string, ip: string) =>
      api().with({ 'user-agent': userAgent, 'x-forwarded-for': ip });
    return {
      id: Number(headers.get('location')?.split('/').at(-1)),
      signIn: (userAgent: string, ip: string, path = '/auth/login') =>
        from(userAgent, ip).post(path, { username, password }),
      fail: (userAgent: string, ip: string) =>
        from(userAgent, ip).post('/auth/login', { username, password: 'not the password' }),
      mails: async () =>
        (await outbox().list({ limit: 100, offset: 0 })).filter(
          ({ kind, recipient }) => kind === 'new-device' && recipient === username,
        ),
    };
  };
}

describe('a sign-in from a new device', () => {
  const api = bootApi({ env: { NEW_DEVICE_MAIL: 'on', TRUST_PROXY: 'loopback' } });
  const clock = useFakeClock(api);
  const signUp = useOwner(api);

  it.each(['/auth/login', '/auth/sessions'])('is notified to the owner by mail: %s', async (path) => {
    const { signIn, mails } = await signUp();
    await signIn(firefox, home, path);
    expect(await mails()).toEqual([]);
    expect((await signIn(safari, cafe, path)).status).toBeLessThan(300);
    const [{ text }, ...others] = await mails();
    expect(others).toEqual([]);
    expect(text?.text).toContain(`with Safari on iOS, from the address ${cafe}`);
    await signIn(safari, cafe, path);
    expect(await mails()).toHaveLength(1);
  });

  it('is one from an address, or with a program, that the account does not know', async () => {
    const { signIn, mails } = await signUp();
    await signIn(firefox, home);
    await signIn(firefox, home);
    expect(await mails()).toHaveLength(0);
    await signIn(firefox, cafe);
    expect(await mails()).toHaveLength(1);
    await signIn(safari, home);
    expect(await mails()).toHaveLength(2);
    await signIn(safari, cafe);
    expect(await mails()).toHaveLength(2);
  });

  it('is one again after thirty days', async () => {
    const { signIn, mails } = await signUp();
    await signIn(firefox, home);
    clock.pass(29 * DAY);
    await signIn(firefox, home);
    expect(await mails()).toHaveLength(0);
    clock.pass(31 * DAY);
    await signIn(firefox, home);
    expect(await mails()).toHaveLength(1);
  });

  it('sends no more than five mails an hour, whoever signs in', async () => {
    const { signIn, mails } = await signUp();
    await signIn(firefox, home);
    for (let count = 0; count < 8; count += 1) await signIn(firefox, `203.0.113.${count}`);
    expect(await mails()).toHaveLength(5);
  });

  it('sends none to others: a failed one notifies none, and the responses are the same', async () => {
    const { signIn, fail, mails } = await signUp();
    const atHome = await signIn(firefox, home);
    const unknown = await signIn(safari, cafe);
    expect(Object.keys(unknown.json)).toEqual(Object.keys(atHome.json));
    const failed = await fail('curl/8.5.0', '203.0.113.9');
    expect([failed.status, (await mails()).length]).toEqual([401, 1]);
  });

  it('is recorded as one', async () => {
    const { id, signIn } = await signUp();
    await signIn(firefox, home);
    await signIn(safari, home);
    const events = await api
      .app()
      .get(AuditLog, { strict: false })
      .list({ limit: 2, offset: 0 }, { accountId: id });
    expect(events.map(({ detail }) => JSON.parse(detail).newDevice)).toEqual([true, undefined]);
  });
});

describe('a sign-in from a new device, by default', () => {
  const api = bootApi({ env: { TRUST_PROXY: 'loopback' } });
  const signUp = useOwner(api);

  it('notifies none', async () => {
    const { signIn, mails } = await signUp();
    await signIn(firefox, home);
    await signIn(safari, cafe);
    expect(await mails()).toEqual([]);
  });

  it('has a name in the list of sessions: the one that the client gives, or what its header says', async () => {
    const { signIn } = await signUp();
    const { access_token } = (await signIn(firefox, home, '/auth/sessions')).json;
    const { username } = (await api().as(access_token).get('/auth/profile')).json;
    await api().post('/auth/sessions', { username, password, device: 'the tablet in the kitchen' });
    await api().with({ 'user-agent': '42' }).post('/auth/sessions', { username, password });
    const { items } = (await api().as(access_token).get('/auth/sessions')).json;
    expect(items.map(({ device }: { device: string | null }) => device)).toEqual([
      'Firefox on Windows',
      'the tablet in the kitchen',
      null,
    ]);
    expect(items[0]).toMatchObject({ ip: home, lastUsedAt: items[0].createdAt });
    for (const device of ['', 'x'.repeat(101), 7]) {
      expect((await api().post('/auth/sessions', { username, password, device })).status).toBe(400);
    }
  });
});
