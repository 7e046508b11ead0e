import { Outbox } from '@app/mail';
import { type Client, newEmail } from '@app/service/testing';
import { Database } from '@app/persistence';
import { bootApi } from '../testing/boot-api';

const password = 'correct horse battery staple';

describe('invitations to an organization', () => {
  const api = bootApi({ env: { SIGN_UP_ADDRESS_LIMIT: 'off' } });

  async function signUp(email = newEmail()): Promise<Client> {
    await api().post('/users', { email, password });
    return api().signIn(email, password);
  }
  async function organization() {
    const owner = await signUp();
    const { id } = (await owner.post('/organizations', { name: 'Kestrel <b>' })).json;
    return { owner, path: `/organizations/${id}` };
  }
  async function lastMail() {
    const [mail] = await api.app().get(Outbox, { strict: false }).list({ limit: 1, offset: 0 });
    return { ...mail, token: mail?.text?.link?.split('#token=')[1] };
  }
  const accept = (client: Client, token: unknown) => client.post('/invitations/accept', { token });

  it('make a member of the account with the invited e-mail, once', async () => {
    const { owner, path } = await organization();
    const email = newEmail();
    const invited = await owner.post(`${path}/invitations`, { email, role: 'admin' });
    expect([invited.status, invited.json]).toEqual([
      201,
      expect.objectContaining({ email, role: 'admin', id: expect.any(Number) }),
    ]);
    const { token, recipient, text } = await lastMail();
    expect([recipient, text?.html.includes('Kestrel &lt;b&gt;')]).toEqual([email, true]);
    expect(text?.link).toContain('/accept-invitation#token=');
    const [member, stranger] = [await signUp(email), await signUp()];
    expect((await accept(stranger, token)).json.message).toBe('this invitation is for a different e-mail');
    expect((await accept(member, token)).json).toMatchObject({ role: 'admin' });
    const again = await accept(member, token);
    expect([again.status, again.json.message]).toEqual([
      400,
      'this invitation is used, withdrawn, expired or unknown: ask for a new one',
    ]);
    expect((await member.get(path)).json.role).toBe('admin');
    expect((await owner.get(`${path}/invitations`)).json.items).toEqual([]);
  });

  it('are accepted once by requests at the same time', async () => {
    const { owner, path } = await organization();
    const email = newEmail();
    await owner.post(`${path}/invitations`, { email, role: 'member' });
    const { token } = await lastMail();
    const member = await signUp(email);
    const replies = await Promise.all([1, 2, 3].map(() => accept(member, token)));
    expect(replies.map(({ status }) => String(status)).toSorted()).toEqual(['200', '400', '400']);
  });

  it('are renewed, withdrawn and expire', async () => {
    const { owner, path } = await organization();
    const email = newEmail();
    const member = await signUp(email);
    const invite = async () => {
      const { json } = await owner.post(`${path}/invitations`, {
        email: email.toUpperCase(),
        role: 'member',
      });
      return { id: json.id, token: (await lastMail()).token };
    };
    const [first, second] = [await invite(), await invite()];
    expect((await accept(member, first.token)).status).toBe(400);
    expect((await owner.get(`${path}/invitations`)).json.items).toMatchObject([{ id: second.id }]);
    expect((await owner.send('DELETE', `${path}/invitations/${second.id}`)).status).toBe(204);
    expect((await owner.send('DELETE', `${path}/invitations/${second.id}`)).status).toBe(404);
    expect((await accept(member, second.token)).status).toBe(400);
    const third = await invite();
    await api
      .app()
      .get(Database, { strict: false })
      .updateTable('organizationInvitation')
      .set({ expiresAt: new Date(0) })
      .where('id', '=', third.id)
      .execute();
    expect((await accept(member, third.token)).status).toBe(400);
    const fourth = await invite();
    expect((await accept(member, fourth.token)).status).toBe(200);
    const { status, json } = await owner.post(`${path}/invitations`, { email, role: 'member' });
    expect([status, json.message]).toEqual([409, 'this e-mail belongs to a member of the organization']);
  });

  it('are limited for a recipient', async () => {
    const email = newEmail();
    const { owner, path } = await organization();
    const statuses: number[] = [];
    for (let at = 0; at < 6; at += 1)
      statuses.push((await owner.post(`${path}/invitations`, { email, role: 'member' })).status);
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
  });

  it('give no role beyond the role of the inviter, and end with the membership of the inviter', async () => {
    const { owner, path } = await organization();
    const join = async (email: string, role: string) => {
      await owner.post(`${path}/invitations`, { email, role });
      const { token } = await lastMail();
      const client = await signUp(email);
      const { userId } = (await client.get('/auth/profile')).json;
      expect((await accept(client, token)).status).toBe(200);
      return { client, userId };
    };
    const [admin, member] = [await join(newEmail(), 'admin'), await join(newEmail(), 'member')];
    const invite = async (by: Client, role: string, email = newEmail()) =>
      (await by.post(`${path}/invitations`, { email, role })).status;
    expect(await invite(admin.client, 'owner')).toBe(403);
    expect(await invite(member.client, 'member')).toBe(403);
    const email = newEmail();
    expect(await invite(admin.client, 'admin', email)).toBe(201);
    const { token } = await lastMail();
    expect((await owner.send('DELETE', `${path}/members/${admin.userId}`)).status).toBe(204);
    expect((await accept(await signUp(email), token)).status).toBe(400);
  });
});
