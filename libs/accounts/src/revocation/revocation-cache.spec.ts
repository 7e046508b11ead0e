import { RevocationsUnavailableError } from '../errors';
import { RevocationCache } from './revocation-cache';

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

describe('the cache of revocations (D17)', () => {
  let now = 0;
  const none = async () => undefined;
  const cacheOf = (load: () => Promise<typeof state | undefined> = none, maxAccounts?: number) =>
    new RevocationCache(load, { ttlSeconds: 60, now: () => now, maxAccounts });

  beforeEach(() => {
    now = 0;
  });

  it('keeps a revocation for the lifetime of its tokens', () => {
    const cache = cacheOf();
    cache.apply([{ kind: 'session', subject: 'a sid' }]);
    now = 60_000;
    cache.apply([{ kind: 'token', subject: 'a jti' }]);
    expect([cache.isRevoked('a sid'), cache.isRevoked('a jti'), cache.size]).toEqual([true, true, 2]);
    now = 131_000;
    cache.markCurrent(now);
    expect([cache.isRevoked('a sid'), cache.size]).toEqual([false, 1]);
  });

  it('tells its followers which memberships to forget', () => {
    const forgotten: string[] = [];
    const cache = cacheOf();
    cache.addFollower({
      forget: (subject) => forgotten.push(subject),
      forgetAll: () => forgotten.push('all'),
    });
    cache.apply([
      { kind: 'membership', subject: '3:7' },
      { kind: 'account', subject: '7' },
    ]);
    cache.forgetAll();
    expect([forgotten, cache.isRevoked('3:7')]).toEqual([['3:7', 'all'], false]);
  });

  it('keeps each for as long, however many were added at once or again', () => {
    const cache = cacheOf();
    const add = (...sids: string[]) => cache.apply(sids.map((subject) => ({ kind: 'session', subject })));
    add('a', 'b');
    now = 60_000;
    add('b', 'c', 'd', 'c');
    add('a');
    now = 130_001;
    cache.markCurrent(now);
    expect(['a', 'b', 'c', 'd'].map((sid) => cache.isRevoked(sid))).toEqual([false, false, true, true]);
    add('a');
    now = 190_001;
    cache.markCurrent(now);
    expect(['a', 'b', 'c', 'd'].map((sid) => cache.isRevoked(sid))).toEqual([true, false, false, false]);
    expect(cache.size).toBe(1);
  });

  it('keeps a revocation while a machine whose clock is a minute behind accepts its token', () => {
    const cache = cacheOf();
    cache.apply([{ kind: 'session', subject: 'a sid' }]);
    now = 60_000 + 60_000 + 5_000;
    cache.markCurrent(now);
    expect(cache.isRevoked('a sid')).toBe(true);
  });

  it('keeps a revocation for the longest lifetime of the tokens that it knows, and refuses longer ones', () => {
    const cache = new RevocationCache(none, { ttlSeconds: 60, longestSeconds: 600, now: () => now });
    cache.apply([{ kind: 'token', subject: 'an invitation' }]);
    now = 600_000;
    cache.markCurrent(now);
    expect(cache.isRevoked('an invitation')).toBe(true);
    expect(() => cache.assertRetained({ iat: 1_000, exp: 1_600 })).not.toThrow();
    expect(() => cache.assertRetained({ iat: 1_000, exp: 1_601 })).toThrow('longestTokenSeconds');
    expect(() => cache.assertRetained({ exp: Date.now() / 1000 + 700 })).toThrow(TypeError);
    now = 660_001;
    expect(() => cache.assertCurrent()).toThrow(RevocationsUnavailableError);
  });

  it('is stale after the lifetime of a token without an update', () => {
    const cache = cacheOf();
    now = 60_000;
    expect(() => cache.assertCurrent()).not.toThrow();
    now = 60_001;
    expect(() => cache.assertCurrent()).toThrow(RevocationsUnavailableError);
    cache.markCurrent(now);
    expect(() => cache.assertCurrent()).not.toThrow();
  });

  it('is stale after a day, if tokens live longer', () => {
    const cache = new RevocationCache(none, { ttlSeconds: 90 * 86_400, now: () => now });
    now = 86_400_000;
    expect(() => cache.assertCurrent()).not.toThrow();
    now = 86_400_001;
    expect(() => cache.assertCurrent()).toThrow(RevocationsUnavailableError);
  });

  it('loads an account once, and again after a revocation of it', async () => {
    const load = vi.fn<() => Promise<typeof state>>(async () => state);
    const cache = cacheOf(load);
    await cache.stateOf(7);
    expect(cache.stateOf(7)).toEqual(state);
    expect(load).toHaveBeenCalledTimes(1);
    cache.apply([{ kind: 'account', subject: '7' }]);
    await cache.stateOf(7);
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('loads an account again after a failed load', async () => {
    const load = vi.fn<() => Promise<typeof state>>(async () => state);
    load.mockRejectedValueOnce(new Error('unavailable'));
    const cache = cacheOf(load);
    await expect(cache.stateOf(7)).rejects.toThrow('unavailable');
    expect(await cache.stateOf(7)).toEqual(state);
  });

  it('does not cache a load that was invalidated meanwhile', async () => {
    const reading = Promise.withResolvers<typeof state>();
    const cache = cacheOf(() => reading.promise);
    const early = cache.stateOf(7);
    cache.forget(7);
    reading.resolve(state);
    await early;
    expect(cache.stateOf(7)).toBeInstanceOf(Promise);
  });

  it('evicts the least recently used account', async () => {
    const load = vi.fn<() => Promise<typeof state>>(async () => state);
    const cache = cacheOf(load, 2);
    for (const id of [1, 2, 1, 3, 1]) await cache.stateOf(id);
    expect(load).toHaveBeenCalledTimes(3);
    await cache.stateOf(2);
    expect(load).toHaveBeenCalledTimes(4);
  });
});
