import { join } from 'node:path';
import { IdentityProvider } from '@app/accounts/testing';
import { Database } from '@app/persistence';
import { PasskeyEnrolments } from '@app/passkeys';
import { TotpEnrolments } from '@app/second-factors';
import {
  insertEmailLinks,
  insertFailedEvent,
  type MakeWalkRequest,
  newEmail,
  RemovalWalk,
  Samples,
  type WalkedAccount,
  type WalkOutcome,
} from '@app/service/testing';
import { bootAdmin } from '../testing/boot-admin';

const password = 'correct horse battery staple';

/** Another program removes an administrator's account, or the one that is administered, at each moment of each request that writes. */
describe('an account that is removed while requests of an administrator run', () => {
  const walk = new RemovalWalk(() => admin, 'admin', { totp: TotpEnrolments, passkeys: PasskeyEnrolments });
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
  const admin = bootAdmin({
    env,
  });

  const db = () => admin.app().get(Database, { strict: false });
  const clientOf = async ({ id: sub, email: username, sid }: WalkedAccount) =>
    admin().as(await admin.tokenOf({ sub, username, sid }));
  const credentials = ({ email: username, password: own }: WalkedAccount) => ({ username, password: own });

  const ofCallers: Record<string, MakeWalkRequest> = {
    'POST /auth/email-changes/undo': async ({ id }) => ({
      body: { token: (await insertEmailLinks(admin.app(), id)).undo, password },
    }),
    'POST /auth/email-verifications': async ({ id }) => {
      await db().updateTable('account').set({ emailVerifiedAt: null }).where('id', '=', id).execute();
      return {};
    },
    'POST /auth/email-verifications/complete': async ({ id }) => ({
      body: { token: (await insertEmailLinks(admin.app(), id)).confirm },
    }),
    'POST /auth/email-codes': (caller) => ({ body: { username: caller.email } }),
    'POST /auth/email-codes/complete': async (caller) => ({ body: await walk.emailCodeOf(caller) }),
    'POST /auth/login': (caller) => ({ body: credentials(caller) }),
    'POST /auth/logout': () => ({}),
    'POST /auth/password-resets': (caller) => ({ body: { username: caller.email } }),
    'POST /auth/password-resets/complete': async (caller) => ({
      body: { token: await walk.resetTokenOf(caller), password },
    }),
    'POST /auth/refresh': async (caller) => {
      const { refresh_token } = (await admin().post('/auth/sessions', credentials(caller))).json;
      return { body: { refresh_token } };
    },
    'POST /auth/sessions': (caller) => ({ body: credentials(caller) }),
    'POST /auth/sessions/complete': async (caller) => ({ body: await walk.pendingSignInOf(caller) }),
    'POST /auth/providers/:provider/authorize': () => ({ path: { provider: 'acme' } }),
    'POST /auth/providers/:provider/complete': async (caller) => {
      const [client, subject] = [await clientOf(caller), crypto.randomUUID()];
      const link = await acme.responseFor(client, subject, 'link');
      expect((await client.post('/auth/providers/acme/link/complete', link)).status).toBe(204);
      return { path: { provider: 'acme' }, body: await acme.responseFor(admin(), subject) };
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
    'POST /auth/password-changes': () => ({ body: { password: 'another phrase' } }),
    'DELETE /auth/sessions': () => ({}),
    'DELETE /auth/sessions/:id': ({ sessionId: id }) => ({ path: { id } }),
    'POST /users': () => ({ body: { email: newEmail(), password, firstName: 'Ada', lastName: 'Lovelace' } }),
  };
  const ofTargets: Record<string, MakeWalkRequest> = {
    'PATCH /users/:id': (_caller, { id }) => ({ path: { id }, body: { role: 'admin', disabled: true } }),
    'DELETE /users/:id': (_caller, { id }) => ({ path: { id } }),
    'DELETE /users/:id/api-keys': async (_caller, target) => {
      await walk.keyOf(target);
      return { path: { id: target.id } };
    },
    'DELETE /users/:id/api-keys/:key': async (_caller, target) => ({
      path: { id: target.id, key: await walk.keyOf(target) },
    }),
    'DELETE /users/:id/factors/:factor': async (_caller, target) => {
      await walk.enrolTotp(target);
      return { path: { id: target.id, factor: 'totp' } };
    },
    'DELETE /users/:id/sessions': (_caller, { id }) => ({ path: { id } }),
    'DELETE /users/:id/sessions/:session': (_caller, { id, sessionId: session }) => ({
      path: { id, session },
    }),
  };
  const ofEvents: Record<string, MakeWalkRequest> = {
    'POST /events/:id/retries': async () => ({ path: { id: await insertFailedEvent(db()) } }),
    'DELETE /events/:id': async () => ({ path: { id: await insertFailedEvent(db()) } }),
  };
  const requests = { ...ofCallers, ...ofTargets, ...ofEvents };
  const samples = new Samples(() => admin, join(__dirname, '../testing'));
  beforeAll(async () => {
    const operator = await admin.administrator();
    const sampled = await samples.walkRequests(async (caller) => ({
      caller: await clientOf(caller),
      admin: operator,
    }));
    Object.assign(requests, sampled);
  });

  it('is tried with every route that writes', () => {
    expect(Object.keys(requests).toSorted()).toEqual(walk.routes.toSorted());
  });

  it('is a 401 if it is that of the administrator, unless the request succeeds', async () => {
    const outcomes: WalkOutcome[] = [];
    for (const [route, make] of Object.entries(requests))
      outcomes.push(...(await walk.walk(route, make, 'caller')));
    expect(outcomes.length).toBeGreaterThan(walk.routes.length);
    const isExpected = ({ route, status }: WalkOutcome) =>
      status < 300 || status === 401 || status === withAccount[route];
    expect(outcomes.filter((outcome) => !isExpected(outcome))).toEqual([]);
  });

  it('is a 404 if it is the other one, unless the request succeeds', async () => {
    const outcomes: WalkOutcome[] = [];
    for (const [route, make] of Object.entries(ofTargets))
      outcomes.push(...(await walk.walk(route, make, 'target')));
    expect(outcomes.length).toBeGreaterThan(Object.keys(ofTargets).length);
    expect(outcomes.filter(({ status }) => status > 299 && status !== 404)).toEqual([]);
  });
});

/** The responses about a thing that was removed with the account. */
const withAccount: Readonly<Record<string, number>> = {
  'DELETE /auth/sessions/:id': 404,
  'POST /auth/email-changes/undo': 400,
  'POST /auth/password-resets/complete': 400,
  'POST /auth/providers/:provider/link/complete': 400,
};
