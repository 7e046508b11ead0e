import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AccountsStore, AuditLog } from '@app/accounts';
import { secondFactors } from '@app/second-factors';
import { enrolTotp, newEmail } from '@app/service/testing';
import * as argon2 from '@node-rs/argon2';
import { LoginController } from '../../docs/guides/sign-in.md';
import { bootGuide } from './boot-guide';

const password = 'correct horse battery staple';

describe('the sign-in under a route of the application in docs/guides/sign-in.md', () => {
  const shop = bootGuide({
    controllers: [LoginController],
    plugins: [secondFactors()],
    env: { SIGN_IN_FAILURES: '3' },
  });
  const store = () => shop.app().get(AccountsStore, { strict: false });
  const logIn = (email: string, secret = password) =>
    shop().post('/users/login', { user: { email, password: secret } });

  async function signUp() {
    const email = newEmail();
    const { headers } = await shop().post('/users', { email, password });
    return { email, id: Number(headers.get('location')?.split('/').at(-1)) };
  }

  it('has a handler of at most fifteen lines', () => {
    const page = readFileSync(join(__dirname, '../../docs/guides/sign-in.md'), 'utf8');
    const [handler = ''] = /^ {2}async login\([^]*?^ {2}\}$/m.exec(page) ?? [];
    expect(handler).toContain('this.check.check(');
    expect(handler.split('\n').length).toBeLessThanOrEqual(15);
  });

  it('returns a token that works, in the envelope of the application, and is recorded', async () => {
    const { email, id } = await signUp();
    const { status, json } = await logIn(email);
    expect([status, json]).toEqual([200, { user: { email, token: expect.any(String) } }]);
    const profile = await shop().as(json.user.token).get('/auth/profile');
    expect(profile.json).toMatchObject({ userId: id, username: email });
    const events = await shop
      .app()
      .get(AuditLog, { strict: false })
      .list({ limit: 10, offset: 0 }, { accountId: id });
    expect(events.map(({ kind }) => kind)).toContain('session-created');
  });

  it('locks the account after consecutive failures', async () => {
    const { email } = await signUp();
    for (const _ of [1, 2, 3]) expect((await logIn(email, 'a wrong password')).status).toBe(401);
    expect((await logIn(email)).status).toBe(429);
  });

  it('hashes an outdated password anew', async () => {
    const { email, id } = await signUp();
    const outdated = await argon2.hash(password, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    await store().update(id, { passwordHash: outdated });
    expect((await logIn(email)).status).toBe(200);
    expect((await store().findById(id))?.passwordHash).not.toBe(outdated);
  });

  it('asks for the second factor', async () => {
    const { email } = await signUp();
    const { recoveryCodes } = await enrolTotp(await shop().signIn(email, password));
    const { json } = await logIn(email);
    expect(json).toEqual({ user: { email, mfaToken: expect.any(String) } });
    const proof = { mfa_token: json.user.mfaToken, factor: 'recovery-code', code: recoveryCodes[0] };
    expect((await shop().post('/auth/sessions/complete', proof)).status).toBe(201);
  });
});
