import { RevocationsUnavailableError } from '../errors';
import { RevocationView } from './revocation-view';
import { AccountStateCache } from './account-state-cache';

const state = {
  id: 7,
  role: 'user' as const,
  emailKey: 'a@example.com',
  emailChangedAt: null,
  emailVerifiedAt: null,
  disabledAt: null,
  tokenGeneration: 0,
  keptSession: null,
  tokensRevokedAt: null,
  passwordChangeRequiredAt: null,
};

describe('the view of revocations (D17)', () => {
  let now = 0;
  const view = (accountStates = new AccountStateCache(async () => undefined)) =>
    new RevocationView(accountStates, 60, () => now);

  beforeEach(() => {
    now = 0;
  });

  it('keeps a revocation for the lifetime of its tokens', () => {
    const known = view();
    known.apply([{ kind: 'session', subject: 'a sid' }]);
    now = 60_000;
    known.apply([{ kind: 'token', subject: 'a jti' }]);
    expect([known.isRevoked('a sid'), known.isRevoked('a jti'), known.size]).toEqual([true, true, 2]);
    now = 131_000;
    known.markCurrent(now);
    expect([known.isRevoked('a sid'), known.size]).toEqual([false, 1]);
  });

  it('keeps each for as long, however many were added at once or again', () => {
    const known = view();
    const add = (...sids: string[]) => known.apply(sids.map((subject) => ({ kind: 'session', subject })));
    add('a', 'b');
    now = 60_000;
    add('b', 'c', 'd', 'c');
    add('a');
    now = 130_001;
    known.markCurrent(now);
    expect(['a', 'b', 'c', 'd'].map((sid) => known.isRevoked(sid))).toEqual([false, false, true, true]);
    add('a');
    now = 190_001;
    known.markCurrent(now);
    expect(['a', 'b', 'c', 'd'].map((sid) => known.isRevoked(sid))).toEqual([true, false, false, false]);
    expect(known.size).toBe(1);
  });

  it('keeps a revocation while a machine whose clock is a minute behind accepts its token', () => {
    const known = view();
    known.apply([{ kind: 'session', subject: 'a sid' }]);
    now = 60_000 + 60_000 + 5_000;
    known.markCurrent(now);
    expect(known.isRevoked('a sid')).toBe(true);
  });

  it('keeps a revocation for the longest lifetime of the tokens that it knows, and refuses longer ones', () => {
    const accountStates = new AccountStateCache(async () => undefined);
    const known = new RevocationView(accountStates, 60, () => now, 600);
    known.apply([{ kind: 'token', subject: 'an invitation' }]);
    now = 600_000;
    known.markCurrent(now);
    expect(known.isRevoked('an invitation')).toBe(true);
    expect(() => known.assertRetained({ iat: 1_000, exp: 1_600 })).not.toThrow();
    expect(() => known.assertRetained({ iat: 1_000, exp: 1_601 })).toThrow('longestTokenSeconds');
    expect(() => known.assertRetained({ exp: Date.now() / 1000 + 700 })).toThrow(TypeError);
    now = 660_001;
    expect(() => known.assertCurrent()).toThrow(RevocationsUnavailableError);
  });

  it('is stale after the lifetime of a token without an update', () => {
    const known = view();
    now = 60_000;
    expect(() => known.assertCurrent()).not.toThrow();
    now = 60_001;
    expect(() => known.assertCurrent()).toThrow(RevocationsUnavailableError);
    known.markCurrent(now);
    expect(() => known.assertCurrent()).not.toThrow();
  });

  it('is stale after a day, if tokens live longer', () => {
    const known = new RevocationView(new AccountStateCache(async () => undefined), 90 * 86_400, () => now);
    now = 86_400_000;
    expect(() => known.assertCurrent()).not.toThrow();
    now = 86_400_001;
    expect(() => known.assertCurrent()).toThrow(RevocationsUnavailableError);
  });

  it('loads an account once, and again after a revocation of it', async () => {
    const load = vi.fn<() => Promise<typeof state>>(async () => state);
    const accountStates = new AccountStateCache(load);
    await accountStates.get(7);
    expect(accountStates.get(7)).toEqual(state);
    expect(load).toHaveBeenCalledTimes(1);
    view(accountStates).apply([{ kind: 'account', subject: '7' }]);
    await accountStates.get(7);
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('loads an account again after a failed load', async () => {
    const load = vi.fn<() => Promise<typeof state>>(async () => state);
    load.mockRejectedValueOnce(new Error('unavailable'));
    const accountStates = new AccountStateCache(load);
    await expect(accountStates.get(7)).rejects.toThrow('unavailable');
    expect(await accountStates.get(7)).toEqual(state);
  });

  it('does not cache a load that was invalidated meanwhile', async () => {
    const reading = Promise.withResolvers<typeof state>();
    const accountStates = new AccountStateCache(() => reading.promise);
    const early = accountStates.get(7);
    accountStates.invalidate(7);
    reading.resolve(state);
    await early;
    expect(accountStates.get(7)).toBeInstanceOf(Promise);
  });

  it('evicts the least recently used account', async () => {
    const load = vi.fn<() => Promise<typeof state>>(async () => state);
    const accountStates = new AccountStateCache(load, 2);
    for (const id of [1, 2, 1, 3, 1]) await accountStates.get(id);
    expect(load).toHaveBeenCalledTimes(3);
    await accountStates.get(2);
    expect(load).toHaveBeenCalledTimes(4);
  });
});
