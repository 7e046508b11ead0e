import { RevocationsUnknownError } from '../errors';
import { RevocationView } from './revocation-view';
import { AccountStateCache } from './account-state-cache';

const state = {
  id: 7,
  role: 'user' as const,
  emailKey: 'a@example.com',
  emailChangedAt: null,
  disabledAt: null,
  tokenGeneration: 0,
  keptSession: null,
};

describe('the view of revocations (D17)', () => {
  let now = 0;
  const view = (accountStates = new AccountStateCache(async () => undefined)) =>
    new RevocationView(accountStates, 60, () => now);

  beforeEach(() => {
    now = 0;
  });

  it('remembers what was ended for as long as its tokens live, and no longer', () => {
    const known = view();
    known.apply([{ kind: 'session', subject: 'a sid' }]);
    now = 60_000;
    known.apply([{ kind: 'token', subject: 'a jti' }]);
    expect([known.isRevoked('a sid'), known.isRevoked('a jti'), known.size]).toEqual([true, true, 2]);
    now = 71_000;
    known.fed(now);
    expect([known.isRevoked('a sid'), known.size]).toEqual([false, 1]);
  });

  it('remembers what was ended until its tokens are over by a clock that is ten seconds behind', () => {
    const known = view();
    known.apply([{ kind: 'session', subject: 'a sid' }]);
    now = 70_000;
    known.fed(now);
    expect(known.isRevoked('a sid')).toBe(true);
  });

  it('trusts no token once it was not fed for longer than one lives', () => {
    const known = view();
    now = 60_000;
    expect(() => known.assertFed()).not.toThrow();
    now = 60_001;
    expect(() => known.assertFed()).toThrow(RevocationsUnknownError);
    known.fed(now);
    expect(() => known.assertFed()).not.toThrow();
  });

  it('reads an account once, and anew after a revocation named it', async () => {
    const load = vi.fn<() => Promise<typeof state>>(async () => state);
    const accountStates = new AccountStateCache(load);
    await accountStates.of(7);
    expect(accountStates.of(7)).toEqual(state);
    expect(load).toHaveBeenCalledTimes(1);
    view(accountStates).apply([{ kind: 'account', subject: '7' }]);
    await accountStates.of(7);
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('asks again about an account whose reading failed', async () => {
    const load = vi.fn<() => Promise<typeof state>>(async () => state);
    load.mockRejectedValueOnce(new Error('away'));
    const accountStates = new AccountStateCache(load);
    await expect(accountStates.of(7)).rejects.toThrow('away');
    expect(await accountStates.of(7)).toEqual(state);
  });

  it('does not keep a reading that an account was forgotten under', async () => {
    const reading = Promise.withResolvers<typeof state>();
    const accountStates = new AccountStateCache(() => reading.promise);
    const early = accountStates.of(7);
    accountStates.forget(7);
    reading.resolve(state);
    await early;
    expect(accountStates.of(7)).toBeInstanceOf(Promise);
  });

  it('keeps no more accounts in mind than it may', async () => {
    const load = vi.fn<() => Promise<typeof state>>(async () => state);
    const accountStates = new AccountStateCache(load, 2);
    for (const id of [1, 2, 1, 3, 1]) await accountStates.of(id);
    expect(load).toHaveBeenCalledTimes(3);
    await accountStates.of(2);
    expect(load).toHaveBeenCalledTimes(4);
  });
});
