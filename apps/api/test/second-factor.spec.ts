import { accounts, AccountsStore, AuditLog, type FactorProof, type SignInFactor } from '@app/accounts';
import { Database } from '@app/persistence';
import { definePlugin, defineProgram } from '@app/service';
import { bootProgram, newEmail, signInWithFactor } from '@app/service/testing';

const password = 'correct horse battery staple';
const rightCode = 'forty-two';

/** A fixed code, of accounts with a name. */
class CodeFactor implements SignInFactor {
  readonly kind = 'code';
  readonly title = 'A code';
  readonly role = 'second';

  constructor(private readonly store: AccountsStore) {}

  async list(accountId: number) {
    const { firstName = null } = (await this.store.findById(accountId)) ?? {};
    const enrolled = { id: 'code', kind: 'code', name: firstName, createdAt: null, remaining: null };
    return firstName === null ? [] : [enrolled];
  }

  async verify(_accountId: number, { code }: FactorProof) {
    return code === rightCode ? ['otp'] : undefined;
  }
}

/** A second factor, in one object. */
const fixedCode = definePlugin({
  name: 'code',
  providers: () => [
    {
      provide: CodeFactor,
      inject: [AccountsStore],
      useFactory: (store: AccountsStore) => new CodeFactor(store),
    },
  ],
  factors: [
    {
      kind: 'code',
      provide: CodeFactor,
      access: { nothingEnrolled: 'the first name of the account stands for it' },
      scopedCallers: [],
      limit: 'failed-sign-ins',
      challenges: 'none',
      rows: { nothingStored: 'the account has the first name' },
    },
  ],
});

const plan = defineProgram({ name: 'with a code', plugins: [accounts(), fixedCode] });

describe('a second factor that an application registers', () => {
  const program = bootProgram(plan);

  async function signUp(firstName: string | null = 'Ada') {
    const email = newEmail();
    const { headers } = await program().post('/users', { email, password });
    const id = Number(headers.get('location')?.split('/').at(-1));
    const db = program.app().get(Database, { strict: false });
    await db.updateTable('account').set({ firstName }).where('id', '=', id).execute();
    return { id, credentials: { username: email, password } };
  }
  const signIn = ({ credentials }: Awaited<ReturnType<typeof signUp>>, code = rightCode) =>
    signInWithFactor(program(), credentials, code, 'code');
  const events = (accountId: number) =>
    program.app().get(AuditLog, { strict: false }).list({ limit: 10, offset: 0 }, { accountId });

  it('is required after the password, and opens a session', async () => {
    const user = await signUp();
    const pending = await program().post('/auth/sessions', user.credentials);
    expect([pending.status, pending.json.factors]).toEqual([200, ['code']]);
    expect((await program().post('/auth/login', user.credentials)).status).toBe(403);
    const { json } = await signIn(user);
    expect((await program().as(json.access_token).get('/users/me')).json.id).toBe(user.id);
  });

  it('is rejected like a wrong password', async () => {
    const user = await signUp();
    const wrong = { ...user.credentials, password: 'not the password' };
    const replies = [await signIn(user, 'forty-three'), await program().post('/auth/sessions', wrong)];
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set(['401 {"statusCode":401,"message":"Unauthorized"}']),
    );
  });

  it('is guessed no more often than a password', async () => {
    const user = await signUp();
    for (let guess = 0; guess < 10; guess += 1) await signIn(user, 'forty-three');
    expect((await signIn(user)).status).toBe(429);
  });

  it('is recorded with its time, as the password is, and when it is refused', async () => {
    const user = await signUp();
    await signIn(user, 'forty-three');
    await signIn(user);
    const [, event, refused] = await events(user.id);
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(JSON.parse(event?.detail ?? '')).toEqual({
      factors: ['password', 'code'],
      verifiedAt: [time, time],
    });
    expect(JSON.parse(refused?.detail ?? '')).toEqual({ reason: 'factor', factor: 'code' });
  });

  it('is not needed by an account without it', async () => {
    const { id, credentials } = await signUp(null);
    expect((await program().post('/auth/login', credentials)).status).toBe(200);
    expect(JSON.parse((await events(id))[0]?.detail ?? '')).toMatchObject({ factors: ['password'] });
  });

  it('is not required by a refresh, which verifies nothing new', async () => {
    const session = (await signIn(await signUp())).json;
    expect((await program().post('/auth/refresh', { refresh_token: session.refresh_token })).status).toBe(
      200,
    );
  });
});
