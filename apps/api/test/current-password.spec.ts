import { AuditLog } from '@app/accounts';
import { administrator, newEmail } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';

const [password, another, wrong] = ['correct horse battery staple', 'another phrase', 'not the password'];

describe.each([
  ['current', 403, 'the current password is needed', 401],
  ['recent', 200, undefined, 200],
] as const)(
  'a change of the password, with PASSWORD_CHANGE=%s',
  (PASSWORD_CHANGE, expected, message, signedIn) => {
    const api = bootApi({ env: { PASSWORD_CHANGE, SIGN_IN_FAILURES: '3' } });

    async function signUp() {
      const email = newEmail();
      const path = (await api().post('/users', { email, password })).headers.get('location') ?? '';
      const client = await api().signIn(email, password);
      const signIn = (attempted: string) =>
        api().post('/auth/login', { username: email, password: attempted });
      return { id: Number(path.split('/').at(-1)), email, path, client, signIn };
    }

    it('requires the current one, or a recent sign-in alone', async () => {
      const { client, email, path, signIn } = await signUp();
      const { status, json } = await client.patch(path, { email, password: another });
      expect([status, json.message]).toEqual([expected, message]);
      expect((await signIn(another)).status).toBe(signedIn);
    });

    it('takes the current one, which the response does not repeat', async () => {
      const { client, email, path, signIn } = await signUp();
      const change = { email, password: another, currentPassword: password };
      const { status, json } = await client.patch(path, change);
      expect([status, json]).toEqual([200, { email }]);
      expect((await signIn(another)).status).toBe(200);
    });

    it('is refused with a wrong one, which is recorded, and counts as a failed sign-in', async () => {
      const { client, email, id, path, signIn } = await signUp();
      const send = (currentPassword: string) =>
        client.patch(path, { email, password: another, currentPassword });
      const refused = await send(wrong);
      expect(refused.json).toEqual({
        statusCode: 403,
        message: 'the current password is wrong',
        error: 'Forbidden',
      });
      for (const [status, guess] of [
        [403, wrong],
        [401, undefined],
        [429, password],
      ] as const)
        expect((await (guess === undefined ? signIn(wrong) : send(guess))).status).toBe(status);
      expect((await signIn(password)).status).toBe(429);
      const log = api.app().get(AuditLog, { strict: false });
      const events = await log.list({ limit: 10, offset: 0 }, { accountId: id, kind: 'sign-in-failed' });
      expect(events.map(({ detail }) => JSON.parse(detail).reason)).toEqual([
        'credentials',
        'current-password',
        'current-password',
      ]);
    });

    it('changes nothing but the password with it: others are not asked for one', async () => {
      const { client, email, path } = await signUp();
      expect((await client.patch(path, { email: newEmail() })).status).toBe(200);
      expect((await client.patch(path, { email, currentPassword: wrong })).status).toBe(200);
    });

    it('by an administrator requires the own one', async () => {
      const { email, path, signIn } = await signUp();
      const operator = await api().signIn(administrator.email, administrator.password);
      const refused = await operator.patch(path, {
        email,
        password: another,
        currentPassword: password,
      });
      expect(refused.status).toBe(403);
      const change = { email, password: another, currentPassword: administrator.password };
      expect((await operator.patch(path, change)).status).toBe(200);
      expect((await signIn(another)).status).toBe(200);
    });

    it.each([[8], [null], [['x']], ['x'.repeat(257)]])(
      'is refused with %j in its place',
      async (currentPassword) => {
        const { client, email, path } = await signUp();
        const { status } = await client.patch(path, { email, password: another, currentPassword });
        expect(status).toBe(400);
      },
    );

    it('has it, and a sign-up has not', async () => {
      const body = { email: newEmail(), password, currentPassword: password };
      expect((await api().post('/users', body)).status).toBe(400);
    });
  },
);
