import {
  Accounts,
  Administration,
  AdministratorReset,
  Enrolments,
  PasswordResets,
  ResetCompletion,
  Sessions,
} from '@app/accounts';
import { Outbox } from '@app/mail';
import { Database } from '@app/persistence';
import { Client, newEmail } from '@app/service/testing';
import { program } from '../src/api.program';
import { bootPair } from '../testing/boot-pair';

const password = 'correct horse battery staple';
/** The limit of D17, for the fastest of several tries, since a machine may be busy. */
const [PROMISE_MS, TRIES] = [1_000, 3];

interface Signed {
  readonly id: number;
  readonly email: string;
  readonly tokens: readonly string[];
  readonly refreshToken: string;
}

describe('what one instance revokes, the other rejects within a second (P3, P17, D17)', () => {
  const api = bootPair();
  const here = <T>(part: abstract new (...parts: never[]) => T): T => api.app(0).get(part, { strict: false });

  /** A user with a session and a login, both known to the other instance. */
  async function signUp(): Promise<Signed> {
    const email = newEmail();
    const { headers } = await api(0).post('/users', { email, password });
    const credentials = { username: email, password };
    const session = (await api(0).post('/auth/sessions', credentials)).json;
    const login = (await api(0).post('/auth/login', credentials)).json;
    const tokens = [session.access_token, login.access_token];
    expect(await answers(tokens)).toEqual([200, 200]);
    const id = Number(headers.get('location')?.split('/').at(-1));
    return { id, email, tokens, refreshToken: session.refresh_token };
  }

  const answers = (tokens: readonly string[], path = '/auth/profile') =>
    Promise.all(tokens.map(async (token) => (await api(1).as(token).get(path)).status));

  /** How long the other instance answers differently, in milliseconds. */
  async function msUntil(status: number, tokens: readonly string[], path?: string): Promise<number> {
    const startedAt = performance.now();
    const isSo = async () => expect(await answers(tokens, path)).toEqual(tokens.map(() => status));
    await vi.waitFor(isSo, { timeout: 10_000, interval: 5 });
    return performance.now() - startedAt;
  }

  const ends: Record<string, { status: number; end: (who: Signed) => Promise<unknown> }> = {
    'an account that is disabled': {
      status: 403,
      end: ({ id }) => here(Administration).change(id, { disabled: true }),
    },
    'an account that is deleted': { status: 401, end: ({ id }) => here(Administration).remove(id) },
    'all sign-ins, by an operator': { status: 401, end: ({ id }) => here(Sessions).revokeAll(id) },
    'an administrator that is reset': {
      status: 401,
      end: ({ email }) =>
        new AdministratorReset(here(Database), new Enrolments(program.factors)).reset(
          email,
          'another phrase',
        ),
    },
    'a password that is changed': {
      status: 401,
      end: ({ id, email }) => here(Accounts).change(id, { email, password: 'another phrase' }),
    },
    'a password that is reset': {
      status: 401,
      end: async ({ email }) => {
        await here(PasswordResets).request(email, '192.0.2.1');
        const [mail] = await here(Outbox).list({ limit: 1, offset: 0 });
        const token = mail?.text?.link?.split('#token=')[1] ?? '';
        await here(ResetCompletion).complete(token, 'another phrase', '192.0.2.1');
      },
    },
  };

  it.each(Object.entries(ends))('%s', async (_, { status, end }) => {
    const waits: number[] = [];
    for (let count = 0; count < TRIES; count += 1) {
      const who = await signUp();
      await end(who);
      waits.push(await msUntil(status, who.tokens));
      expect((await api(1).post('/auth/refresh', { refresh_token: who.refreshToken })).status).toBe(401);
    }
    expect(Math.min(...waits)).toBeLessThan(PROMISE_MS);
  });

  it('the old tokens of an account that is enabled again', async () => {
    const { id, email, tokens } = await signUp();
    await here(Administration).change(id, { disabled: true });
    await msUntil(403, tokens);
    await here(Administration).change(id, { disabled: false });
    await msUntil(401, tokens);
    const again: Client = await api(1).signIn(email, password);
    expect((await again.get('/auth/profile')).status).toBe(200);
  });

  it('a role, which existing tokens gain and lose', async () => {
    const { id, tokens } = await signUp();
    expect(await answers(tokens, '/users')).toEqual([403, 403]);
    for (const [role, status] of [
      ['admin', 200],
      ['user', 403],
    ] as const) {
      const waits: number[] = [];
      for (let count = 0; count < TRIES; count += 1) {
        await here(Administration).change(id, { role: role === 'admin' ? 'user' : 'admin' });
        await msUntil(role === 'admin' ? 403 : 200, tokens, '/users');
        await here(Administration).change(id, { role });
        waits.push(await msUntil(status, tokens, '/users'));
      }
      expect(Math.min(...waits)).toBeLessThan(PROMISE_MS);
    }
    expect(await answers(tokens)).toEqual([200, 200]);
  });
});
