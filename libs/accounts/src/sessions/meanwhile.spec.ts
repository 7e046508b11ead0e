import { UnauthenticatedError } from '@app/auth';
import { useMigratedDatabase } from '@app/persistence/testing';
import { whoIs } from '../../testing/commands';
import { HeldTime } from '../../testing/held-time';
import { type ProgramParts, programParts } from '../../testing/program-parts';
import type { SignedInUser } from '../accounts';
import { AccountsStore } from '../accounts.store';
import { AccountDisabledError } from '../errors';

const [email, password, ip] = ['ada@example.com', 'correct horse battery staple', '192.0.2.7'];

describe('a sign-in', () => {
  const current = useMigratedDatabase();
  let here: ProgramParts;
  let there: ProgramParts;
  let time: HeldTime;
  let id: number;

  beforeEach(async () => {
    time = new HeldTime();
    time.hold();
    here = programParts(current.db, time);
    there = programParts(current.openAnother(), time);
    id = (await here.accounts.signUp({ email, password })).id;
  });
  afterEach(() => void vi.useRealTimers());

  const ways = {
    'plain login': () => here.accounts.signIn(email, password, ip),
    session: async () => (await here.sessions.open(email, password, ip))?.accessToken,
  };

  /** Signs in, while something happens in the other program after the password was found to be right. */
  async function signInWhile(way: keyof typeof ways, meanwhile: () => Promise<unknown>) {
    vi.spyOn(here.hasher, 'verify').mockImplementationOnce(async () => {
      await meanwhile();
      return true;
    });
    return ways[way]();
  }

  const kinds = ['plain login', 'session'] as const;

  it.each(kinds)('to a %s gives nothing when the password is changed meanwhile (P3)', async (way) => {
    const change = () => there.accounts.change(id, { email, password: 'another phrase' });
    expect(await signInWhile(way, change)).toBeUndefined();
  });

  it.each(kinds)('to a %s says so when the account is disabled meanwhile (P3)', async (way) => {
    const disable = () => there.administration.change(id, { disabled: true });
    await expect(signInWhile(way, disable)).rejects.toThrow(AccountDisabledError);
    expect(await new AccountsStore(current.db).findById(id)).toMatchObject({ lastLoginIp: null });
  });

  it.each(kinds)('to a %s gives nothing when the account is removed meanwhile (P3)', async (way) => {
    expect(await signInWhile(way, () => there.administration.remove(id))).toBeUndefined();
  });

  it.each(kinds)('to a %s succeeds when another sign-in renews the hash meanwhile', async (way) => {
    const passwordHash = `$argon2id$v=19$m=8192,t=1,p=1$c2FsdA$${btoa(password).replaceAll('=', '')}`;
    const store = new AccountsStore(current.db);
    await store.update(id, { passwordHash });
    const token = await signInWhile(way, () => there.accounts.signIn(email, password, ip));
    expect((await store.findById(id))?.passwordHash).not.toBe(passwordHash);
    expect(await whoIs(here, token ?? '')).toMatchObject({ userId: id });
  });

  it.each(kinds)('to a %s is none of those that were ended meanwhile', async (way) => {
    const token = await signInWhile(way, () => there.sessions.endAll(id));
    await here.hear();
    expect(await whoIs(here, token ?? '')).toMatchObject({ userId: id });
  });

  describe.each(kinds)(
    'to a %s, when its password was found to be right but it is not answered yet,',
    (way) => {
      /** What a bearer is told of the token that such a sign-in gives. */
      async function bearerAfter(meanwhile: () => Promise<unknown>): Promise<unknown> {
        const check = here.credentials.check.bind(here.credentials);
        vi.spyOn(here.credentials, 'check').mockImplementationOnce(async (...asked) => {
          const proven = await check(...asked);
          await meanwhile();
          return proven;
        });
        const token = await ways[way]();
        await here.hear();
        return token && whoIs(here, token);
      }

      it.each([
        ['the password is changed', () => there.accounts.change(id, { email, password: 'another phrase' })],
        ['the account is removed', () => there.administration.remove(id)],
      ])('gives nothing that lasts once %s (P3)', async (_, meanwhile) => {
        expect(await bearerAfter(meanwhile)).toBeUndefined();
      });

      it('gives nothing that lasts once the account is disabled, nor when that is enabled (P3)', async () => {
        const disable = () => there.administration.change(id, { disabled: true });
        await expect(bearerAfter(disable)).rejects.toThrow(AccountDisabledError);
        await there.administration.change(id, { disabled: false });
        expect(await there.sessionsStore.list(id, { limit: 10, offset: 0 })).toEqual([]);
      });
    },
  );

  describe('that was let in a moment ago', () => {
    let token: string;
    let caller: SignedInUser;
    beforeEach(async () => {
      token = (await here.accounts.signIn(email, password, ip)) ?? '';
      caller = (await whoIs(here, token)) ?? { userId: 0, username: '', role: 'user' };
    });
    const change = () => here.accounts.change(id, { email, password: 'another phrase' }, caller);

    it('changes no password, and is not spared by that, once an operator ended it (P3)', async () => {
      await there.sessions.endAll(id);
      await expect(change()).rejects.toThrow(UnauthenticatedError);
      await here.hear();
      expect(await whoIs(here, token)).toBeUndefined();
    });

    it('changes no password once its account is disabled, and is over when that is enabled (P3)', async () => {
      await there.administration.change(id, { disabled: true });
      await expect(change()).rejects.toThrow(AccountDisabledError);
      await there.administration.change(id, { disabled: false });
      await here.hear();
      expect(await whoIs(here, token)).toBeUndefined();
      expect(await here.accounts.signIn(email, password, ip)).toBeDefined();
    });

    it('changes no password once its account is removed', async () => {
      await there.administration.remove(id);
      await expect(change()).rejects.toThrow(UnauthenticatedError);
    });

    it('is over when it was logged out, also when the clock is set back to when it was made', async () => {
      await here.sessions.logout(caller, ip);
      expect(await whoIs(here, token)).toBeUndefined();
      time.pass(3_600_000);
      for (const program of [here, there]) await program.hear();
      time.step(-3_600_000);
      expect([await whoIs(here, token), await whoIs(there, token)]).toEqual([undefined, undefined]);
    });
  });

  it('makes room among a hundred sessions where one was not used for longest', async () => {
    const pairs = [];
    for (let count = 0; count < 100; count += 1) {
      time.pass(1_000);
      pairs.push((await here.sessions.open(email, password, ip)) ?? { accessToken: '', refreshToken: '' });
    }
    const [first, second, third] = pairs;
    expect(await here.sessions.refresh(first.refreshToken, ip)).toBeDefined();
    const newest = await here.sessions.open(email, password, ip);
    expect(await here.sessions.refresh(second.refreshToken, ip)).toBeUndefined();
    for (const { refreshToken } of [third, newest ?? second])
      expect(await here.sessions.refresh(refreshToken, ip)).toBeDefined();
    expect(await here.sessionsStore.list(id, { limit: 200, offset: 0 })).toHaveLength(100);
  });
});
