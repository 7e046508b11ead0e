import { join } from 'node:path';
import { IdentityProvider } from '@app/accounts/testing';
import { Outbox } from '@app/mail';
import { Database } from '@app/persistence';
import { MembersStore, OrganizationsStore } from '@app/organizations';
import { PasskeyEnrolments } from '@app/passkeys';
import { TotpEnrolments } from '@app/second-factors';
import {
  insertEmailLinks,
  makePng,
  type MakeWalkRequest,
  newEmail,
  RemovalWalk,
  Samples,
  type WalkedAccount,
  type WalkOutcome,
} from '@app/service/testing';
import { bootApi } from '../testing/boot-api';

const password = 'correct horse battery staple';

/** Another program removes a caller's account, at each moment of each request that writes. */
describe('an account that is removed while its requests run', () => {
  const walk = new RemovalWalk(() => api, 'admin', { totp: TotpEnrolments, passkeys: PasskeyEnrolments });
  const env: Record<string, string> = {
    EMAIL_CODES: '1000/1h',
    EMAIL_VERIFICATION: 'on',
    SIGN_IN_ADDRESS_LIMIT: 'off',
    SIGN_UP_ADDRESS_LIMIT: 'off',
    PASSWORD_RESET_ADDRESS_LIMIT: 'off',
  };
  let acme: IdentityProvider;
  beforeAll(async () => {
    acme = await IdentityProvider.start('acme');
    Object.assign(env, acme.env);
  });
  afterAll(() => acme.stop());
  const api = bootApi({
    env,
  });

  const store = <T>(type: new (...parts: never[]) => T): T => api.app().get(type, { strict: false });
  const linksOf = ({ id }: WalkedAccount) => insertEmailLinks(api.app(), id);
  const clientOf = async ({ id: sub, email: username, sid }: WalkedAccount) =>
    api().as(await api.tokenOf({ sub, username, sid }));
  const credentials = ({ email: username, password: own }: WalkedAccount) => ({ username, password: own });

  /** Creates an organization that the caller owns. */
  async function organizationOf({ id: accountId }: WalkedAccount, member?: WalkedAccount) {
    const [organizations, members, db] = [store(OrganizationsStore), store(MembersStore), store(Database)];
    const organizationId = await organizations.insert('Kestrel', db);
    const createdAt = new Date();
    await members.insert({ organizationId, accountId, role: 'owner', createdAt }, db);
    if (member) await members.insert({ organizationId, accountId: member.id, role: 'member', createdAt }, db);
    return { organizationId };
  }

  /** Invites an e-mail. */
  async function invitationOf(
    { organizationId }: { organizationId: number },
    inviter: WalkedAccount,
    email: string,
  ) {
    const client = await clientOf(inviter);
    const path = `/organizations/${organizationId}/invitations`;
    const { id } = (await client.post(path, { email, role: 'member' })).json;
    const [mail] = await store(Outbox).list({ limit: 1, offset: 0 });
    return { id, token: mail?.text?.link?.split('#token=')[1] };
  }

  function picture(): FormData {
    const form = new FormData();
    form.append('picture', new Blob([makePng()]), 'me.png');
    return form;
  }

  const requests: Record<string, MakeWalkRequest> = {
    'POST /auth/api-keys': () => ({ body: { name: 'a machine' } }),
    'DELETE /auth/api-keys/:id': async (caller) => ({ path: { id: await walk.keyOf(caller) } }),
    'POST /auth/email-changes/undo': async (caller) => ({
      body: { token: (await linksOf(caller)).undo, password },
    }),
    'POST /auth/email-verifications': async ({ id }) => {
      const account = store(Database).updateTable('account').set({ emailVerifiedAt: null });
      await account.where('id', '=', id).execute();
      return {};
    },
    'POST /auth/email-verifications/complete': async (caller) => ({
      body: { token: (await linksOf(caller)).confirm },
    }),
    'POST /auth/email-codes': (caller) => ({ body: { username: caller.email } }),
    'POST /auth/email-codes/complete': async (caller) => ({ body: await walk.emailCodeOf(caller) }),
    'POST /auth/login': (caller) => ({ body: credentials(caller) }),
    'POST /auth/logout': () => ({}),
    'POST /auth/password-changes': () => ({ body: { password } }),
    'POST /auth/password-resets': (caller) => ({ body: { username: caller.email } }),
    'POST /auth/password-resets/complete': async (caller) => ({
      body: { token: await walk.resetTokenOf(caller), password },
    }),
    'POST /auth/refresh': async (caller) => {
      const { refresh_token } = (await api().post('/auth/sessions', credentials(caller))).json;
      return { body: { refresh_token } };
    },
    'POST /auth/sessions': (caller) => ({ body: credentials(caller) }),
    'POST /auth/sessions/complete': async (caller) => ({ body: await walk.pendingSignInOf(caller) }),
    'POST /auth/providers/:provider/authorize': () => ({ path: { provider: 'acme' } }),
    'POST /auth/providers/:provider/complete': async (caller) => {
      const [client, subject] = [await clientOf(caller), crypto.randomUUID()];
      const link = await acme.responseFor(client, subject, 'link');
      expect((await client.post('/auth/providers/acme/link/complete', link)).status).toBe(204);
      return { path: { provider: 'acme' }, body: await acme.responseFor(api(), subject) };
    },
    'POST /auth/providers/:provider/link': () => ({ path: { provider: 'acme' } }),
    'POST /auth/providers/:provider/link/complete': async (caller) => ({
      path: { provider: 'acme' },
      body: await acme.responseFor(await clientOf(caller), undefined, 'link'),
    }),
    'POST /auth/factors/totp': () => ({}),
    'POST /auth/factors/totp/confirm': async (caller) => ({
      body: { code: await walk.pendingTotpOf(caller) },
    }),
    'POST /auth/factors/passkeys': () => ({}),
    'POST /auth/factors/passkeys/confirm': async (caller) => ({
      body: { credential: await walk.pendingPasskeyOf(caller) },
    }),
    'POST /auth/passkeys': () => ({ body: {} }),
    'POST /auth/passkeys/complete': async (caller) => ({
      body: { credential: await walk.passkeySignInOf(caller) },
    }),
    'POST /auth/factors/recovery-codes': async (caller) => {
      await walk.enrolTotp(caller);
      return {};
    },
    'DELETE /auth/factors/:factor': async (caller) => {
      await walk.enrolTotp(caller);
      return { path: { factor: 'totp' } };
    },
    'POST /organizations': () => ({ body: { name: 'Kestrel' } }),
    'PATCH /organizations/:organizationId': async (caller) => ({
      path: await organizationOf(caller),
      body: { name: 'Merlin' },
    }),
    'PATCH /organizations/:organizationId/members/:accountId': async (caller, target) => ({
      path: { ...(await organizationOf(caller, target)), accountId: target.id },
      body: { role: 'admin' },
    }),
    'DELETE /organizations/:organizationId/members/:accountId': async (caller, target) => ({
      path: { ...(await organizationOf(caller, target)), accountId: target.id },
    }),
    'DELETE /organizations/:organizationId': async (caller) => ({ path: await organizationOf(caller) }),
    'POST /organizations/:organizationId/transfer': async (caller, target) => ({
      path: await organizationOf(caller, target),
      body: { accountId: target.id },
    }),
    'POST /organizations/:organizationId/invitations': async (caller) => ({
      path: await organizationOf(caller),
      body: { email: newEmail(), role: 'member' },
    }),
    'DELETE /organizations/:organizationId/invitations/:id': async (caller) => {
      const path = await organizationOf(caller);
      return { path: { ...path, id: (await invitationOf(path, caller, newEmail())).id } };
    },
    'POST /invitations/accept': async (caller, target) => ({
      body: { token: (await invitationOf(await organizationOf(target), target, caller.email)).token },
    }),
    'DELETE /auth/sessions': () => ({}),
    'DELETE /auth/sessions/:id': ({ sessionId: id }) => ({ path: { id } }),
    'POST /users': () => ({ body: { email: newEmail(), password } }),
    'PATCH /users/:id': ({ id }) => ({ path: { id }, body: { email: newEmail(), password } }),
    'DELETE /users/me': () => ({}),
    'PUT /users/me/picture': () => ({ body: picture() }),
    'DELETE /users/me/picture': async (caller) => {
      const owner = await clientOf(caller);
      expect((await owner.send('PUT', '/users/me/picture', picture())).status).toBe(200);
      return {};
    },
  };

  const samples = new Samples(() => api, join(__dirname, '../testing'));
  let resourceRoutes: ReadonlySet<string>;
  beforeAll(async () => {
    const admin = await api.administrator();
    const sampled = await samples.walkRequests(async (caller) => ({ caller: await clientOf(caller), admin }));
    Object.assign(requests, sampled);
    resourceRoutes = new Set(Object.keys(sampled));
  });

  it('is tried with every route that writes', () => {
    expect(Object.keys(requests).toSorted()).toEqual(walk.routes.toSorted());
  });

  it('is a 401, unless the request succeeds, or what it names was removed with the account', async () => {
    const outcomes: WalkOutcome[] = [];
    for (const [route, make] of Object.entries(requests))
      outcomes.push(...(await walk.walk(route, make, 'caller')));
    expect(outcomes.length).toBeGreaterThan(walk.routes.length);
    const isExpected = ({ route, status }: WalkOutcome) =>
      status < 300 ||
      status === 401 ||
      status === withAccount[route] ||
      (status === 404 && isOfMember(route)) ||
      // Rows of the account, or rows to which a body refers, are removed with it.
      (resourceRoutes.has(route) && (status === 404 || status === 422));
    expect(outcomes.filter((outcome) => !isExpected(outcome))).toEqual([]);
  });
});

/** Whether a route is for members: a membership is removed with its account. */
function isOfMember(route: string): boolean {
  return route.includes(' /organizations/:organizationId');
}

/** The responses about a thing that was removed with its account. */
const withAccount: Readonly<Record<string, number>> = {
  'DELETE /auth/api-keys/:id': 404,
  'DELETE /auth/sessions/:id': 404,
  'DELETE /users/me/picture': 404,
  'POST /invitations/accept': 400,
  'POST /auth/email-changes/undo': 400,
  'POST /auth/password-resets/complete': 400,
  'POST /auth/providers/:provider/link/complete': 400,
};
