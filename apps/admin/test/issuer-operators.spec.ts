import { FakeIssuer } from '@app/accounts/testing';
import { Outbox } from '@app/mail';
import { Database } from '@app/persistence';
import { describeRoutes } from '@app/service';
import { newEmail } from '@app/service/testing';
import { bootAdmin } from '../testing/boot-admin';

describe('an operator by a trusted issuer', () => {
  const env: Record<string, string> = {};
  let issuer: FakeIssuer;
  beforeAll(async () => {
    issuer = await FakeIssuer.start();
    env.TRUSTED_ISSUERS = `${issuer.url} audience=shop-api roles=groups role-map=ops:admin two-factors=amr:mfa`;
  });
  afterAll(() => issuer.stop());
  const admin = bootAdmin({ env });
  const operator = async () => {
    const auth_time = Math.floor(Date.now() / 1000);
    return admin().as(await issuer.sign({ sub: 'operator', groups: ['ops'], amr: ['mfa'], auth_time }));
  };

  it('ends sessions, and changes no user', async () => {
    const client = await operator();
    const { userId } = (await (await admin.newcomer()).get('/auth/profile')).json;
    expect((await client.delete(`/users/${userId}/sessions`)).status).toBe(204);
    const closed = describeRoutes(admin.app()).filter(
      ({ path, callers }) =>
        path.startsWith('/users') && callers.facets?.some(({ name }) => name === 'needsDirectSignIn'),
    );
    expect(closed.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      'DELETE /users/:id/factors/:factor',
      'PATCH /users/:id',
      'POST /users',
    ]);
    for (const { method, path } of closed) {
      const reply = await client.send(method, path.replaceAll(/:\w+/g, String(userId)), {});
      expect([method, path, reply.json.message]).toEqual([method, path, 'a direct sign-in is needed']);
    }
  });

  it('sees no text of a mail, whose link would be access', async () => {
    const mail = { subject: 'Your link', text: 'https://example.com/#token=secret', html: '' };
    const outbox = admin.app().get(Outbox, { strict: false });
    const others = { kind: 'password-reset', recipient: newEmail(), cause: 'operator', goodForMs: 60_000 };
    await outbox.add({ ...others, ...mail }, admin.app().get(Database, { strict: false }));
    const textOf = async (client: ReturnType<typeof admin>) =>
      (await client.get('/outbox?limit=1')).json.items[0].text;
    expect([await textOf(await admin.administrator()), await textOf(await operator())]).toEqual([
      mail.text,
      null,
    ]);
  });
});
