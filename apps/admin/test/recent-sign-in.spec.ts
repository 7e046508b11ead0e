import { AccessTokens } from '@app/auth';
import { newEmail } from '@app/service/testing';
import { bootAdmin } from '../testing/boot-admin';

const refused = { statusCode: 403, message: 'a recent sign-in is needed', error: 'Forbidden' };

describe('an administrator whose sign-in is older than 15 minutes (D35)', () => {
  const admin = bootAdmin();

  /** The administrator, by a token that was refreshed for so many minutes. */
  async function administratorAfter(minutes: number) {
    const { userId, username } = (await (await admin.administrator()).get('/auth/profile')).json;
    const auth_time = Math.floor(Date.now() / 1000) - minutes * 60;
    const tokens = admin.app().get(AccessTokens, { strict: false });
    return admin().as(tokens.sign({ sub: userId, username, auth_time }));
  }

  it('changes no role or status, deletes no user, and ends no key or session', async () => {
    const names = { firstName: 'Ada', lastName: 'Lovelace' };
    const account = { email: newEmail(), password: 'correct horse battery staple', ...names };
    const { id } = (await (await admin.administrator()).post('/users', account)).json;
    const late = await administratorAfter(16);
    const replies = [
      await late.patch(`/users/${id}`, { role: 'admin' }),
      await late.patch(`/users/${id}`, { disabled: true }),
      await late.delete(`/users/${id}`),
      await late.delete(`/users/${id}/api-keys`),
      await late.delete(`/users/${id}/api-keys/1`),
      await late.delete(`/users/${id}/sessions`),
      await late.delete(`/users/${id}/sessions/1`),
    ];
    expect(replies.map(({ json }) => json)).toEqual(replies.map(() => refused));
    expect((await late.get(`/users/${id}`)).json.role).toBe('user');
    const soon = await administratorAfter(14);
    expect((await soon.patch(`/users/${id}`, { role: 'admin' })).json.role).toBe('admin');
    expect((await soon.delete(`/users/${id}`)).status).toBe(204);
  });
});
