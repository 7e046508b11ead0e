import {
  AccountsModule,
  accountsOptions,
  AuditLog,
  type SignInFactor,
  type SignInOrigin,
} from '@app/accounts';
import { httpError } from '@app/http-errors';
import { Database, PersistenceModule, persistenceOptions } from '@app/persistence';
import { type BootedProgram, bootProgram, newEmail } from '@app/service/testing';
import { Module } from '@nestjs/common';
import { apiSettings } from '../src/api.settings';

const password = 'correct horse battery staple';
const rightCode = '042042';

/** The client asks its user for a code, and sends the sign-in again. */
const CodeNeededError = httpError('CodeNeededError', 403, 'code-needed', {
  title: 'A code is needed',
  remedy: 'Send the code as `X-Sign-In-Code`.',
  reply: 'a code is needed',
});

/** A fixed code, of accounts with a name. */
class CodeFactor implements SignInFactor {
  readonly kind = 'code';

  constructor(private readonly right: string) {}

  async check({ firstName }: { firstName: string | null }, { headers }: SignInOrigin) {
    if (firstName === null) return 'not-required';
    const given = headers?.['x-sign-in-code'];
    if (given === undefined) throw new CodeNeededError();
    return given === this.right ? 'verified' : 'rejected';
  }
}

const CODE = Symbol('code');

@Module({ providers: [{ provide: CODE, useValue: rightCode }], exports: [CODE] })
class CodesModule {}

/** An application with a second factor, by registration alone. */
class FactorModule {}

function bootWithCode(): BootedProgram {
  return bootProgram({
    name: 'with a code',
    declarations: apiSettings,
    module: (settings) => ({
      module: FactorModule,
      imports: [
        PersistenceModule.forRoot(persistenceOptions(settings)),
        AccountsModule.forRoot({
          ...accountsOptions(settings, 'with a code'),
          factors: {
            imports: [CodesModule],
            inject: [CODE],
            useFactory: (right: string) => [new CodeFactor(right)],
          },
        }),
      ],
    }),
  });
}

describe('a second factor that an application registers', () => {
  const program = bootWithCode();
  const [withCode, withWrongCode] = [rightCode, '000000'].map(
    (given) => () => program().with({ 'x-sign-in-code': given }),
  );

  async function signUp(firstName: string | null = 'Ada') {
    const email = newEmail();
    const { headers } = await program().post('/users', { email, password });
    const id = Number(headers.get('location')?.split('/').at(-1));
    const db = program.app().get(Database, { strict: false });
    await db.updateTable('account').set({ firstName }).where('id', '=', id).execute();
    return { id, credentials: { username: email, password } };
  }
  const events = (accountId: number) =>
    program.app().get(AuditLog, { strict: false }).list({ limit: 10, offset: 0 }, { accountId });

  it.each(['/auth/login', '/auth/sessions'])(
    'is required by %s, with an error that names it',
    async (path) => {
      const { id, credentials } = await signUp();
      const without = await program().post(path, credentials);
      expect([without.status, without.json.message]).toEqual([403, 'a code is needed']);
      const { json } = await withCode().post(path, credentials);
      expect((await program().as(json.access_token).get('/users/me')).json.id).toBe(id);
    },
  );

  it('is rejected like a wrong password, and required after the right one alone', async () => {
    const { credentials } = await signUp();
    const wrong = { ...credentials, password: 'not the password' };
    const replies = [
      await withWrongCode().post('/auth/login', credentials),
      await withCode().post('/auth/login', wrong),
      await program().post('/auth/login', wrong),
    ];
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set(['401 {"statusCode":401,"message":"Unauthorized"}']),
    );
  });

  it('is guessed no more often than a password', async () => {
    const { credentials } = await signUp();
    for (let guess = 0; guess < 10; guess += 1) await withWrongCode().post('/auth/login', credentials);
    expect((await withCode().post('/auth/login', credentials)).status).toBe(429);
  });

  it('is recorded with its time, as the password is', async () => {
    const { id, credentials } = await signUp();
    await withCode().post('/auth/login', credentials);
    const [event] = await events(id);
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(JSON.parse(event?.detail ?? '')).toEqual({
      factors: ['password', 'code'],
      verifiedAt: [time, time],
    });
  });

  it('is not needed by an account without it', async () => {
    const { id, credentials } = await signUp(null);
    expect((await program().post('/auth/login', credentials)).status).toBe(200);
    expect(JSON.parse((await events(id))[0]?.detail ?? '')).toMatchObject({ factors: ['password'] });
  });

  it('is not required by a refresh, which verifies nothing new', async () => {
    const { credentials } = await signUp();
    const session = (await withCode().post('/auth/sessions', credentials)).json;
    expect((await program().post('/auth/refresh', { refresh_token: session.refresh_token })).status).toBe(
      200,
    );
  });
});
