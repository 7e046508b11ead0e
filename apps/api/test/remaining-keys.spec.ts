import { Administration } from '@app/accounts';
import { Outbox } from '@app/mail';
import { Database } from '@app/persistence';
import { type Client, newEmail } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';

const [password, another] = ['correct horse battery staple', 'another password entirely'];

describe('API keys that still work when other access has ended (D30)', () => {
  const api = bootApi();
  const header = 'active-api-keys';

  async function signUp() {
    const email = newEmail();
    const path = (await api().post('/users', { email, password })).headers.get('location') ?? '';
    const client = await api().signIn(email, password);
    return { email, path, id: Number(path.split('/').at(-1)), client };
  }
  const makeKey = async (client: Client): Promise<string> =>
    (await client.post('/auth/api-keys', { name: 'a robot', expiresInDays: 7 })).json.apiKey;
  const statusOf = async (key: string) => (await api().with({ 'x-api-key': key }).get('/items')).status;

  async function mailsTo(email: string) {
    const mails = await api.app().get(Outbox, { strict: false }).list({ limit: 100, offset: 0 });
    return mails.filter(({ recipient }) => recipient === email);
  }
  const detailsOf = async (id: number, kind: string) => {
    const db = api.app().get(Database, { strict: false });
    const events = db.selectFrom('auditEvent').selectAll().where('accountId', '=', id);
    const rows = await events.where('kind', '=', kind).execute();
    return rows.map(({ detail, ip }) => Object.assign(JSON.parse(detail), { ip }));
  };

  it('are counted in the response and in a mail when the password is changed', async () => {
    const { email, path, id, client } = await signUp();
    const keys = [await makeKey(client), await makeKey(client)];
    const { status, text, headers } = await client.patch(path, { email, password: another });
    expect([status, text, headers.get(header)]).toEqual([200, JSON.stringify({ email }), '2']);
    expect([await statusOf(keys[0] ?? ''), await statusOf(keys[1] ?? '')]).toEqual([200, 200]);
    const [mail, ...others] = await mailsTo(email);
    expect([mail?.kind, others]).toEqual(['password-changed', []]);
    expect(mail?.text?.text).toContain('2 API keys still work');
    expect(mail?.text?.text).toContain('from the address 127.0.0.1');
    expect(await detailsOf(id, 'password-changed')).toEqual([{ keys: 2, ip: '127.0.0.1' }]);
  });

  it('are in at most five mails an hour, however often the password is changed', async () => {
    const { email, path, client } = await signUp();
    for (let times = 0; times < 7; times += 1)
      expect((await client.patch(path, { email, password: `${another} ${times}` })).status).toBe(200);
    expect(await mailsTo(email)).toHaveLength(5);
  });

  it('are not mentioned by a change of the e-mail alone', async () => {
    const { email, path, client } = await signUp();
    const { headers } = await client.patch(path, { email: newEmail() });
    const kinds = (await mailsTo(email)).map(({ kind }) => kind);
    expect([headers.get(header), kinds]).toEqual([null, ['email-changed']]);
  });

  it('are sent to the previous address, if both are changed', async () => {
    const { email, path, client } = await signUp();
    const changed = newEmail();
    await client.patch(path, { email: changed, password: another });
    const kindsTo = async (address: string) => (await mailsTo(address)).map(({ kind }) => kind);
    expect(await kindsTo(email)).toEqual(['email-changed', 'password-changed']);
    expect(await kindsTo(changed)).toEqual(['email-changed']);
  });

  it('are not counted once they have expired', async () => {
    const { email, path, client } = await signUp();
    await makeKey(client);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 8 * 86_400_000 });
    const late = await api().signIn(email, password);
    const { headers } = await late.patch(path, { email, password: another });
    vi.useRealTimers();
    expect(headers.get(header)).toBe('0');
  });

  it('stay when their owner ends all sessions, or end with them', async () => {
    const { email, id, client } = await signUp();
    const key = await makeKey(client);
    const secondClient = await api().signIn(email, password);
    const kept = await client.delete('/auth/sessions');
    expect([kept.status, kept.headers.get(header), await statusOf(key)]).toEqual([204, '1', 200]);
    const statuses = [(await client.get('/users/me')).status, (await secondClient.get('/users/me')).status];
    expect(statuses).toEqual([401, 401]);
    const again = await api().signIn(email, password);
    expect((await again.delete('/auth/sessions?apiKeys=all')).status).toBe(400);
    const ended = await again.delete('/auth/sessions?apiKeys=end');
    expect([ended.status, ended.headers.get(header), await statusOf(key)]).toEqual([204, '0', 401]);
    expect(await detailsOf(id, 'api-key-revoked')).toEqual([{ all: true, keys: 1, ip: '127.0.0.1' }]);
    expect(await detailsOf(id, 'session-revoked')).toHaveLength(2);
  });

  it('end without a word of them when the account is disabled', async () => {
    const { id, client, email } = await signUp();
    const key = await makeKey(client);
    await api.app().get(Administration, { strict: false }).change(id, { disabled: true });
    expect([await statusOf(key), await mailsTo(email)]).toEqual([401, []]);
  });
});
