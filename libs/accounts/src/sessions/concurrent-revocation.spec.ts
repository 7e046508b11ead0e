import { UnauthenticatedError } from '@app/auth';
import { useAccountsDatabase } from '../../testing/accounts-database';
import { FakeTime } from '../../testing/fake-time';
import { callerOf, type Instance, makeInstance } from '../../testing/instance';
import { actorOf } from '../access/actor';
import type { SignedInUser } from '../access/access-check';
import { AccountsStore } from '../account/accounts.store';
import { AccountDisabledError } from '../errors';

const [email, password, ip] = ['ada@example.com', 'correct horse battery staple', '192.0.2.7'];

describe('a sign-in', () => {
  const current = useAccountsDatabase();
  let here: Instance;
  let there: Instance;
  let time: FakeTime;
  let id: number;

  beforeEach(async () => {
    time = new FakeTime();
    time.apply();
    here = makeInstance(current.db, time);
    there = makeInstance(current.openAnother(), time);
    id = (await here.signUp.create({ email, password })).id;
  });
  afterEach(() => void vi.useRealTimers());

  const ways = {
    'plain login': () => here.signIn.login(email, password, { ip }),
    session: async () => (await here.openSession(email, password, { ip }))?.accessToken,
    'token without a sid': async () => here.tokens.sign({ sub: id, username: email }),
  };

  /** Signs in, and runs `meanwhile` in the other instance after the password was compared. */
  async function signInWhile(way: keyof typeof ways, meanwhile: () => Promise<unknown>) {
    vi.spyOn(here.hasher, 'verify').mockImplementationOnce(async () => {
      await meanwhile();
      return true;
    });
    return ways[way]();
  }

  const kinds = ['plain login', 'session'] as const;

  it.each(kinds)('to a %s fails when the password is changed meanwhile (P3)', async (way) => {
    const change = () => there.accounts.change(id, { email, password: 'another phrase' });
    expect(await signInWhile(way, change)).toBeUndefined();
  });

  it.each(kinds)('to a %s is rejected when the account is disabled meanwhile (P3)', async (way) => {
    const disable = () => there.administration.change(id, { disabled: true });
    await expect(signInWhile(way, disable)).rejects.toThrow(AccountDisabledError);
    expect(await new AccountsStore(current.db).findById(id)).toMatchObject({ lastLoginIp: null });
  });

  it.each(kinds)('to a %s fails when the account is deleted meanwhile (P3)', async (way) => {
    expect(await signInWhile(way, () => there.administration.remove(id))).toBeUndefined();
  });

  it.each(kinds)('to a %s succeeds when another sign-in rehashes meanwhile', async (way) => {
    const passwordHash = `$argon2id$v=19$m=8192,t=1,p=1$c2FsdA$${btoa(password).replaceAll('=', '')}`;
    const store = new AccountsStore(current.db);
    await store.update(id, { passwordHash });
    const token = await signInWhile(way, () => there.signIn.login(email, password, { ip }));
    expect((await store.findById(id))?.passwordHash).not.toBe(passwordHash);
    expect(await callerOf(here, token ?? '')).toMatchObject({ userId: id });
  });

  it.each(kinds)('to a %s is not among those revoked meanwhile', async (way) => {
    const token = await signInWhile(way, () => there.sessions.revokeAll(id));
    await here.syncRevocations();
    expect(await callerOf(here, token ?? '')).toMatchObject({ userId: id });
  });

  describe.each(kinds)('to a %s, between the record of the sign-in and the response,', (way) => {
    /** The issued token's caller. */
    async function bearerAfter(meanwhile: () => Promise<unknown>): Promise<unknown> {
      const run = here.sequence.begin.bind(here.sequence);
      vi.spyOn(here.sequence, 'begin').mockImplementationOnce(async (...asked) => {
        const proven = await run(...asked);
        await meanwhile();
        return proven;
      });
      const token = await ways[way]();
      await here.syncRevocations();
      return token && callerOf(here, token);
    }

    it.each([
      ['the password is changed', () => there.accounts.change(id, { email, password: 'another phrase' })],
      ['the account is deleted', () => there.administration.remove(id)],
    ])('issues no valid token once %s (P3)', async (_, meanwhile) => {
      expect(await bearerAfter(meanwhile)).toBeUndefined();
    });

    it('issues no valid token once the account is disabled, also after it is enabled (P3)', async () => {
      const disable = () => there.administration.change(id, { disabled: true });
      await expect(bearerAfter(disable)).rejects.toThrow(AccountDisabledError);
      await there.administration.change(id, { disabled: false });
      expect(await there.sessionsStore.list(id, { limit: 10, offset: 0 })).toEqual([]);
    });
  });

  describe('that passed the guard', () => {
    let token: string;
    let caller: SignedInUser;
    beforeEach(async () => {
      token = (await here.signIn.login(email, password, { ip })) ?? '';
      caller = (await callerOf(here, token)) ?? {
        userId: 0,
        username: '',
        role: 'user',
        emailVerified: true,
      };
    });
    const change = () => here.accounts.change(id, { email, password: 'another phrase' }, actorOf(caller));

    it('changes no password, and is not kept, once an operator has revoked it (P3)', async () => {
      await there.sessions.revokeAll(id);
      await expect(change()).rejects.toThrow(UnauthenticatedError);
      await here.syncRevocations();
      expect(await callerOf(here, token)).toBeUndefined();
    });

    it('changes no password once its account is disabled, and is invalid after that is enabled (P3)', async () => {
      await there.administration.change(id, { disabled: true });
      await expect(change()).rejects.toThrow(AccountDisabledError);
      await there.administration.change(id, { disabled: false });
      await here.syncRevocations();
      expect(await callerOf(here, token)).toBeUndefined();
      expect(await here.signIn.login(email, password, { ip })).toBeDefined();
    });

    it('changes no password once its account is deleted', async () => {
      await there.administration.remove(id);
      await expect(change()).rejects.toThrow(UnauthenticatedError);
    });

    it('is invalid after logout', async () => {
      await here.sessions.logout(caller, ip);
      expect(await callerOf(here, token)).toBeUndefined();
      for (const program of [here, there]) await program.syncRevocations();
      expect([await callerOf(here, token), await callerOf(there, token)]).toEqual([undefined, undefined]);
    });
  });

  it.each([...kinds, 'token without a sid'] as const)(
    'by a %s is invalid after its logout, and no other, in both programs',
    async (way) => {
      const [ended, kept] = [await ways[way](), await ways[way]()];
      const caller = await callerOf(here, ended ?? '');
      expect(await callerOf(there, ended ?? '')).toEqual(caller);
      if (caller) await here.sessions.logout(caller, ip);
      await there.syncRevocations();
      for (const program of [here, there]) {
        expect(await callerOf(program, ended ?? '')).toBeUndefined();
        expect(await callerOf(program, kept ?? '')).toBeDefined();
      }
    },
  );

  it('ends the least recently used of a hundred sessions', async () => {
    const pairs = [];
    for (let count = 0; count < 100; count += 1) {
      time.pass(1_000);
      pairs.push((await here.openSession(email, password, { ip })) ?? { accessToken: '', refreshToken: '' });
    }
    const [first, second, third] = pairs;
    expect(await here.sessionSignIn.refresh(first.refreshToken, ip)).toBeDefined();
    const newest = await here.openSession(email, password, { ip });
    expect(await here.sessionSignIn.refresh(second.refreshToken, ip)).toBeUndefined();
    for (const { refreshToken } of [third, newest ?? second])
      expect(await here.sessionSignIn.refresh(refreshToken, ip)).toBeDefined();
    expect(await here.sessionsStore.list(id, { limit: 200, offset: 0 })).toHaveLength(100);
  });
});
