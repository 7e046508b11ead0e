import { Passwords } from '@app/auth';
import { Database } from '@app/persistence';
import { newEmail } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';
import { bootPair } from '../testing/boot-pair';

const password = 'correct horse battery staple';
const wrong = 'a wrong password';
const MINUTE = 60_000;

describe('repeated failed sign-ins', () => {
  const api = bootApi({
    env: { TRUST_PROXY: 'loopback', SIGN_IN_FAILURES: '3', SIGN_IN_ADDRESS_LIMIT: '8/15m' },
  });
  let host = 0;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:00Z') });
    host += 1;
  });
  afterEach(() => void vi.useRealTimers());

  /** Sends from an address of this test, by default. */
  const from = (ip = `192.0.2.${host}`) => api().with({ 'x-forwarded-for': ip });
  const signIn = (username: string, secret: string, ip?: string) =>
    from(ip).post('/auth/login', { username, password: secret });

  async function newUser(): Promise<string> {
    const email = newEmail();
    await from().post('/users', { email, password });
    return email;
  }

  async function statuses(times: number, attempt: (count: number) => Promise<{ status: number }>) {
    const codes: number[] = [];
    for (let count = 0; count < times; count += 1) codes.push((await attempt(count)).status);
    return codes;
  }

  it('are answered 429 with Retry-After, even for the right password', async () => {
    const email = await newUser();
    expect(await statuses(3, () => signIn(email, wrong))).toEqual([401, 401, 401]);
    const refused = await signIn(email, password);
    expect(refused.status).toBe(429);
    expect(refused.json).toEqual({
      statusCode: 429,
      message: 'too many attempts have failed, try again later',
      error: 'Too Many Requests',
    });
    expect(refused.headers.get('retry-after')).toBe('60');
  });

  it('do not block the account for longer than a minute', async () => {
    const email = await newUser();
    await statuses(3, () => signIn(email, wrong));
    vi.setSystemTime(Date.now() + MINUTE);
    expect((await signIn(email, password)).status).toBe(200);
    expect(await statuses(3, () => signIn(email, wrong))).toEqual([401, 401, 401]);
  });

  it('are answered the same for an unknown account', async () => {
    const answersTo = async (username: string) => {
      const replies = [];
      for (let count = 0; count < 5; count += 1) replies.push(await signIn(username, wrong));
      return replies.map(({ status, text, headers }) => {
        const names = [...headers.keys()];
        return { status, text, names, retryAfter: headers.get('retry-after') };
      });
    };
    const existing = await answersTo(await newUser());
    expect(existing.map(({ status }) => status)).toEqual([401, 401, 401, 429, 429]);
    host += 100;
    expect(await answersTo('nobody@example.com')).toEqual(existing);
  });

  it('lock the account at the address they come from, and nowhere else (P18, D24)', async () => {
    const email = await newUser();
    await statuses(4, () => signIn(email, wrong));
    expect((await signIn(email, password)).status).toBe(429);
    expect((await signIn(email, password, '198.51.100.98')).status).toBe(200);
  });

  it('are counted for a username in any case', async () => {
    const email = await newUser();
    await statuses(3, (count) => signIn(count % 2 === 0 ? email.toUpperCase() : email, wrong));
    expect((await signIn(email, password)).status).toBe(429);
  });

  it('block an address, and no other', async () => {
    const email = await newUser();
    const attacks = await statuses(9, (count) => signIn(`${count}@example.com`, wrong));
    expect(attacks).toEqual([401, 401, 401, 401, 401, 401, 401, 401, 429]);
    const refused = await signIn(email, password);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '900']);
    expect((await signIn(email, password, '198.51.100.99')).status).toBe(200);
  });

  it('block an IPv6 /64 network as one address', async () => {
    await statuses(8, (count) => signIn(`${count}@example.net`, wrong, `2001:db8:0:1::${count}`));
    expect((await signIn('8@example.net', wrong, '2001:db8:0:1:ffff::1')).status).toBe(429);
    expect((await signIn('8@example.net', wrong, '2001:db8:0:2::1')).status).toBe(401);
  });

  it('are counted by the address of the trusted proxy, not by one the client sent', async () => {
    const forged = (count: number) => `203.0.113.${count}, 198.51.100.7`;
    await statuses(8, (count) => signIn(`${count}@example.org`, wrong, forged(count)));
    expect((await signIn('8@example.org', wrong, forged(99))).status).toBe(429);
  });
});

describe('sign-ins that fail at many addresses', () => {
  const env = { TRUST_PROXY: 'loopback', SIGN_IN_FAILURES: '3' };
  const api = bootApi({ env });

  it('lock the account, except where it signed in within 30 days (P18, D24)', async () => {
    const username = newEmail();
    await api().post('/users', { email: username, password });
    const signIn = async (ip: string, secret: string) =>
      (await api().with({ 'x-forwarded-for': ip }).post('/auth/login', { username, password: secret }))
        .status;
    expect(await signIn('192.0.2.1', password)).toBe(200);
    for (let count = 0; count < 30; count += 1)
      expect(await signIn(`203.0.113.${count % 10}`, wrong)).toBe(401);
    expect(await signIn('192.0.2.2', password)).toBe(429);
    expect(await signIn('192.0.2.1', wrong)).toBe(401);
    expect(await signIn('192.0.2.1', password)).toBe(200);
  });
});

describe('sign-in without a proxy', () => {
  const api = bootApi({ env: { SIGN_IN_ADDRESS_LIMIT: '4/15m' } });

  it('ignores the forwarded address', async () => {
    const attempt = (count: number) =>
      api()
        .with({ 'x-forwarded-for': `192.0.2.${count}` })
        .post('/auth/login', { username: `${count}@example.com`, password: wrong });
    for (let count = 0; count < 4; count += 1) expect((await attempt(count)).status).toBe(401);
    expect((await attempt(5)).status).toBe(429);
  });
});

describe('more sign-ins than can be hashed', () => {
  const api = bootApi();

  it('are rejected at once, write nothing, and do not delay other requests (P15)', async () => {
    const release = Promise.withResolvers<boolean>();
    const passwords = api.app().get(Passwords, { strict: false });
    const comparing = vi.spyOn(passwords['hasher'], 'verify').mockImplementation(() => release.promise);
    const db = api.app().get(Database, { strict: false });
    const attempts = Array.from({ length: 80 }, (_, count) =>
      api().post('/auth/login', { username: `${count}@example.com`, password: wrong }),
    );
    const refused = await Promise.race(attempts);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await api().get('/health/ready')).status).toBe(200);
    const subjects = await db.selectFrom('attempt').select('subject').execute();
    expect(subjects.length).toBeLessThanOrEqual(2);
    release.resolve(false);
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect([...new Set(statuses)].toSorted((a, b) => a - b)).toEqual([401, 503]);
    comparing.mockRestore();
  });
});

describe('two instances on one database', () => {
  const api = bootPair({ SIGN_IN_FAILURES: '4' });

  it('share their counters and locks (P17)', async () => {
    const email = newEmail();
    await api(0).post('/users', { email, password });
    const turns: (0 | 1)[] = [0, 1, 0, 1, 0, 1];
    const fail = async (which: 0 | 1): Promise<number> => {
      const { status } = await api(which).post('/auth/login', { username: email, password: wrong });
      // Passwords are hashed one at a time, which takes longer on a busy machine; a 503 is not counted.
      return status === 503 ? fail(which) : status;
    };
    const statuses = await Promise.all(turns.map(fail));
    expect(statuses.toSorted((a, b) => a - b)).toEqual([401, 401, 401, 401, 429, 429]);
    for (const which of [0, 1] as const) {
      expect((await api(which).post('/auth/login', { username: email, password })).status).toBe(429);
    }
  });
});
