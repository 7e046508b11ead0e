import { RevocationFeed } from '@app/accounts';
import { AccessTokens } from '@app/auth';
import { Database } from '@app/persistence';
import { newEmail } from '@app/service/testing';
import { bootAdmin } from '../testing/boot-admin';

describe('an administrator whose sign-in ended at another program, before this one reads of it (D35)', () => {
  const admin = bootAdmin();
  const part = <T>(of: abstract new (...parts: never[]) => T): T => admin.app().get(of, { strict: false });
  beforeAll(() => part(RevocationFeed).stop());

  it('creates no user and no administrator, and deletes none', async () => {
    const named = () => {
      return { email: newEmail(), password: 'a long password', firstName: 'Ada', lastName: 'Lovelace' };
    };
    const operator = await admin.administrator();
    const { userId: sub, username } = (await operator.get('/auth/profile')).json;
    const { id } = (await operator.post('/users', named())).json;
    const sid = 'a sign-in.0';
    const auth_time = Math.floor(Date.now() / 1000);
    const ended = admin().as(part(AccessTokens).sign({ sub, username, sid, auth_time }));
    expect((await ended.patch(`/users/${id}`, { role: 'user' })).status).toBe(200);
    const number = { program: 'another', number: 1, settledBelow: 1 };
    const revocation = { ...number, kind: 'session', subject: sid, createdAt: new Date() } as const;
    await part(Database).insertInto('revocation').values(revocation).execute();
    expect((await ended.get(`/users/${id}`)).status).toBe(200);
    const changes = [
      await ended.patch(`/users/${id}`, { role: 'admin' }),
      await ended.post('/users', named()),
      await ended.delete(`/users/${id}`),
    ];
    expect(changes.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect((await operator.get(`/users/${id}`)).json.role).toBe('user');
  });
});
