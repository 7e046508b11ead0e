import { useAccountsDatabase } from '../../testing/accounts-database';
import { testOptions } from '../../testing/test-options';
import { AccountsStore } from '../account/accounts.store';
import { AttemptsStore } from '../limits/attempts.store';
import { AuditLog } from '../audit/audit-log';
import { TooManyAttemptsError } from '../errors';
import { forgetDevices, KnownDevices } from '../devices/known-devices';
import { SignInLimits } from './sign-in-limits';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const options = testOptions({
  SIGN_IN_FAILURES: 3,
  SIGN_IN_ADDRESS_LIMIT: { limit: 20, windowSeconds: 600 },
});
const failure = { reason: 'credentials' } as const;
const fails = { run: async () => undefined, failure };
const succeeds = { run: async () => 'in', failure };
const secret = 'a secret of tests, long enough to sign with';
const [here, elsewhere] = ['192.0.2.1', '198.51.100.1'];

describe('the limits of sign-in', () => {
  const store = useAccountsDatabase();
  let limits: SignInLimits;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:00Z') });
    limits = limitsOn(store.db);
  });
  afterEach(() => void vi.useRealTimers());

  function limitsOn(db: typeof store.db): SignInLimits {
    return new SignInLimits(new AttemptsStore(db), new AuditLog(db, 'api'), knownDevicesOn(db), options);
  }

  function knownDevicesOn(db: typeof store.db): KnownDevices {
    return new KnownDevices(db, new AccountsStore(db), { secrets: () => ({ secret }) });
  }

  async function fail(times: number, username = 'ada@example.com', ip: string = here): Promise<void> {
    for (let count = 0; count < times; count += 1) await limits.signIn({ username, ip }, fails);
  }

  function pass(milliseconds: number): void {
    vi.setSystemTime(Date.now() + milliseconds);
  }

  /** The next attempt's lockout in seconds; 0 if it is permitted. */
  async function waitNow(username = 'ada@example.com', ip: string = here): Promise<number> {
    try {
      await limits.signIn({ username, ip }, fails);
      return 0;
    } catch (error) {
      if (!(error instanceof TooManyAttemptsError)) throw error;
      return Number(error.reply.headers?.['Retry-After']);
    }
  }

  it('lock an account after too many failures at an address, for that address, for a minute', async () => {
    await fail(3);
    expect(await waitNow('ADA@example.com', elsewhere)).toBe(0);
    expect(await waitNow('ADA@example.com')).toBe(60);
    pass(MINUTE - 1);
    expect(await waitNow()).toBe(1);
    pass(1);
    expect(await limits.signIn({ username: 'ada@example.com', ip: here }, succeeds)).toBe('in');
  });

  it('run no attempt while the account is locked', async () => {
    await fail(3);
    const run = vi.fn<typeof succeeds.run>(succeeds.run);
    await expect(limits.signIn({ username: 'ada@example.com', ip: here }, { run, failure })).rejects.toThrow(
      TooManyAttemptsError,
    );
    expect(run).not.toHaveBeenCalled();
  });

  it('double the lock with each further failure, up to a maximum', async () => {
    await fail(3);
    const waits: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      const wait = await waitNow();
      waits.push(wait);
      pass(wait * 1000);
      expect(await waitNow()).toBe(0);
    }
    expect(waits).toEqual([60, 120, 240, 480, 900, 900, 900]);
  });

  it('do not prolong the lock for attempts meanwhile', async () => {
    await fail(3);
    pass(MINUTE / 2);
    for (let count = 0; count < 5; count += 1) expect(await waitNow()).toBe(30);
  });

  it('reset the failures of an account after a sign-in', async () => {
    await fail(2);
    await limits.signIn({ username: 'ada@example.com', ip: here }, succeeds);
    await fail(2);
    expect(await limits.signIn({ username: 'ada@example.com', ip: here }, succeeds)).toBe('in');
  });

  it('expire the failures of an account after a day', async () => {
    await fail(2);
    pass(24 * 60 * MINUTE);
    await fail(2);
    expect(await limits.signIn({ username: 'ada@example.com', ip: here }, succeeds)).toBe('in');
  });

  it('answer no more concurrent attempts than sequential ones', async () => {
    const attempts = Array.from({ length: 20 }, () =>
      limits.signIn({ username: 'ada@example.com', ip: here }, fails),
    );
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(
      await store.db.selectFrom('auditEvent').select('id').where('kind', '=', 'sign-in-failed').execute(),
    ).toHaveLength(3);
  });

  it('tell no success that a lock has overtaken, and keep the lock', async () => {
    const overtaken = async () => {
      await fail(3);
      return 'in';
    };
    const attempt = limits.signIn({ username: 'ada@example.com', ip: here }, { run: overtaken, failure });
    await expect(attempt).rejects.toThrow(TooManyAttemptsError);
    expect(await waitNow()).toBe(60);
  });

  it('are shared by all processes on one database', async () => {
    const another = limitsOn(store.openAnother());
    await fail(2);
    await another.signIn({ username: 'ada@example.com', ip: here }, fails);
    expect(await waitNow()).toBe(60);
    await expect(another.signIn({ username: 'ada@example.com', ip: here }, succeeds)).rejects.toThrow(
      TooManyAttemptsError,
    );
  });

  it('block an address after too many failures of any account, and no other address', async () => {
    for (let count = 0; count < 20; count += 1) await fail(1, `user${count}@example.com`);
    expect(await waitNow('somebody@example.com')).toBe(600);
    expect(await waitNow('somebody@example.com', elsewhere)).toBe(0);
    pass(10 * MINUTE);
    expect(await waitNow('somebody@example.com')).toBe(0);
  });

  it('count an IPv6 /64 network as one address', async () => {
    for (let count = 0; count < 20; count += 1)
      await fail(1, `user${count}@example.com`, `2001:db8::${count}`);
    expect(await waitNow('somebody@example.com', '2001:db8::ffff')).toBe(600);
    expect(await waitNow('somebody@example.com', '2001:db8:0:1::1')).toBe(0);
  });

  describe('against an attacker who locks out others', () => {
    const attackers = Array.from({ length: 11 }, (_, at) => `203.0.113.${at}`);
    const attackFrom = async (ips: readonly string[]) => {
      for (const ip of ips) for (let count = 0; count < 3; count += 1) await waitNow('ada@example.com', ip);
    };

    async function signUpAda(): Promise<number> {
      const { id } = await new AccountsStore(store.db).insert({ email: 'ada@example.com', passwordHash: '' });
      return id;
    }

    it('do not lock other addresses because of an address that polls all day', async () => {
      let attempts = 0;
      for (let time = 0; time < DAY; time += 15 * MINUTE) {
        if ((await waitNow('ada@example.com', attackers[0])) === 0) attempts += 1;
        pass(15 * MINUTE);
      }
      expect(attempts).toBe(96);
      expect(await waitNow('ada@example.com', elsewhere)).toBe(0);
    });

    it('lock an account that many addresses attack for all other addresses, whether or not it exists', async () => {
      await attackFrom(attackers);
      expect(await waitNow('ada@example.com', elsewhere)).toBe(60);
      expect(await waitNow('bob@example.com', elsewhere)).toBe(0);
    });

    it('never lock out an address from which the account signed in within 30 days', async () => {
      await knownDevicesOn(store.db).record(await signUpAda(), { ip: here, device: undefined }, store.db);
      await attackFrom(attackers);
      expect(await waitNow('ada@example.com', elsewhere)).toBe(60);
      expect(await limits.signIn({ username: 'ada@example.com', ip: here }, succeeds)).toBe('in');
      for (const days of [15, 14]) {
        await attackFrom(attackers);
        pass(days * DAY);
      }
      await attackFrom(attackers);
      expect(await limits.signIn({ username: 'ada@example.com', ip: here }, succeeds)).toBe('in');
      pass(DAY);
      await attackFrom(attackers);
      expect(await waitNow('ada@example.com', here)).toBeGreaterThan(0);
    });

    it('lock out an address from before the account was recovered, which may be that of a thief', async () => {
      const id = await signUpAda();
      await knownDevicesOn(store.db).record(id, { ip: here, device: undefined }, store.db);
      await forgetDevices(id, store.db);
      await attackFrom(attackers);
      expect(await waitNow('ada@example.com', here)).toBe(60);
    });

    it('recognise an address after the secret was rotated, and not that of another account', async () => {
      const id = await signUpAda();
      await knownDevicesOn(store.db).record(id, { ip: here, device: undefined }, store.db);
      const { id: otherId } = await new AccountsStore(store.db).insert({
        email: 'bob@example.com',
        passwordHash: '',
      });
      await knownDevicesOn(store.db).record(otherId, { ip: elsewhere, device: undefined }, store.db);
      const rotated = { secret: 'a newer secret of tests, as long as the first', previous: [secret] };
      const knownDevices = new KnownDevices(store.db, new AccountsStore(store.db), {
        secrets: () => rotated,
      });
      const [adaHere, adaElsewhere] = [here, elsewhere].map((ip) =>
        knownDevices.hasAddress('ada@example.com', ip),
      );
      expect([await adaHere, await adaElsewhere]).toEqual([true, false]);
    });

    it('delete addresses in batches', async () => {
      const id = await signUpAda();
      const knownDevices = knownDevicesOn(store.db);
      for (const ip of attackers.slice(0, 5))
        await knownDevices.record(id, { ip, device: undefined }, store.db);
      pass(1);
      await knownDevices.record(id, { ip: attackers[0], device: undefined }, store.db);
      const before = new Date();
      expect([await knownDevices.deleteOlder(before, 3), await knownDevices.deleteOlder(before, 3)]).toEqual([
        3, 1,
      ]);
      expect(await knownDevices.hasAddress('ada@example.com', attackers[0])).toBe(true);
    });
  });

  it('do not prolong a lock when the clock is set back, and work when it is set forward', async () => {
    await fail(3);
    pass(-60 * MINUTE);
    expect(await limits.signIn({ username: 'ada@example.com', ip: here }, succeeds)).toBe('in');
    await fail(3);
    pass(60 * MINUTE);
    expect(await limits.signIn({ username: 'ada@example.com', ip: here }, succeeds)).toBe('in');
  });

  it('are recorded in the audit log without a username', async () => {
    await fail(3);
    await waitNow();
    const events = await new AuditLog(store.db, 'api').list({ limit: 10, offset: 0 });
    const failed = { kind: 'sign-in-failed', ip: here, detail: '{"reason":"credentials"}' };
    const exceeded = { kind: 'rate-limit-exceeded', ip: here, detail: '{"limit":"account"}' };
    expect(events).toMatchObject([failed, exceeded, failed, failed]);
  });

  it('record no failure of an address beyond its limit, whatever was attempted', async () => {
    for (let count = 0; count < 20; count += 1) await limits.fail({ reason: 'credentials' }, here);
    pass(MINUTE);
    const late = limits.fail({ accountId: 1, reason: 'disabled' }, here);
    await expect(late).rejects.toMatchObject({ reply: { headers: { 'Retry-After': '540' } } });
    await limits.fail({ reason: 'credentials' }, elsewhere);
    const events = await new AuditLog(store.db, 'api').list({ limit: 50, offset: 0 });
    expect(events.filter(({ kind }) => kind === 'sign-in-failed')).toHaveLength(21);
  });

  it('reply the same for account and address, with Retry-After', () => {
    expect(new TooManyAttemptsError(59_001).reply).toMatchObject({
      status: 429,
      message: 'too many attempts have failed, try again later',
      headers: { 'Retry-After': '60' },
    });
  });
});
