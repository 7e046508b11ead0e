import { SignInOverloadError } from '../errors';
import { Passwords } from './passwords';
import type { JobOrigin } from './work-queue';

/** Hashes under control of the test: `finish()` ends the oldest job. */
function deferredHasher() {
  const pending: { password: string; settle: PromiseWithResolvers<string> }[] = [];
  const begun: string[] = [];
  return {
    begun,
    hasher: {
      hash(password: string) {
        const settle = Promise.withResolvers<string>();
        pending.push({ password, settle });
        begun.push(password);
        return settle.promise;
      },
      verify: () => Promise.resolve(true),
    },
    finish: async () => {
      const job = pending.shift();
      job?.settle.resolve(`hash of ${job.password}`);
      await vi.advanceTimersByTimeAsync(0);
    },
    fail: async () => {
      pending.shift()?.settle.reject(new Error('out of memory'));
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

/** The outcome of each hash so far: its text, the name of its error, or nothing yet. */
function watch(passwords: Passwords, names: readonly string[], origin?: JobOrigin) {
  const outcomes = new Map<string, string>();
  for (const name of names) {
    passwords.hash(name, origin).then(
      (hash) => outcomes.set(name, hash),
      (error: Error) => outcomes.set(name, error.name),
    );
  }
  return outcomes;
}

describe('hashing under load', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('runs two at once and the others in FIFO order', async () => {
    const { begun, hasher, finish } = deferredHasher();
    watch(new Passwords({ hasher }), ['a', 'b', 'c', 'd']);
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(['a', 'b']);
    await finish();
    expect(begun).toEqual(['a', 'b', 'c']);
    await finish();
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  it('lets no later job overtake a waiting one', async () => {
    const { begun, hasher, finish } = deferredHasher();
    const passwords = new Passwords({ hasher, concurrency: 1 });
    watch(passwords, ['a', 'b']);
    await vi.advanceTimersByTimeAsync(0);
    const finished = finish();
    watch(passwords, ['c']);
    await finished;
    expect(begun).toEqual(['a', 'b']);
  });

  it('alternates between addresses, however many jobs one has', async () => {
    const { begun, hasher, finish } = deferredHasher();
    const passwords = new Passwords({ hasher, concurrency: 1 });
    const flood = Array.from({ length: 60 }, (_, index) => `f${index}`);
    watch(passwords, flood, { kind: 'sign-in', source: 'flooder' });
    watch(passwords, ['a', 'a2'], { kind: 'sign-in', source: 'ann' });
    watch(passwords, ['b'], { kind: 'sign-in', source: 'bob' });
    await vi.advanceTimersByTimeAsync(0);
    for (let count = 0; count < 6; count += 1) await finish();
    expect(begun).toEqual(['f0', 'f1', 'a', 'b', 'f2', 'a2', 'f3']);
  });

  it('alternates between kinds of work, however many addresses one has', async () => {
    const { begun, hasher, finish } = deferredHasher();
    const passwords = new Passwords({ hasher, concurrency: 1 });
    for (let host = 0; host < 60; host += 1)
      watch(passwords, [`u${host}`], { kind: 'sign-up', source: `host ${host}` });
    watch(passwords, ['a'], { kind: 'sign-in', source: 'ann' });
    watch(passwords, ['b'], { kind: 'sign-in', source: 'bob' });
    await vi.advanceTimersByTimeAsync(0);
    for (let count = 0; count < 4; count += 1) await finish();
    expect(begun).toEqual(['u0', 'u1', 'a', 'u2', 'b']);
  });

  it('replaces a job of the origin with the most jobs by one of another origin when it is full', async () => {
    const { hasher, finish, begun } = deferredHasher();
    const passwords = new Passwords({ hasher, concurrency: 1, maxWaiting: 3 });
    const [flooder, ann] = [
      { kind: 'sign-in', source: 'flooder' },
      { kind: 'sign-in', source: 'ann' },
    ];
    const flood = watch(passwords, ['f0', 'f1', 'f2', 'f3'], flooder);
    await vi.advanceTimersByTimeAsync(0);
    expect(() => passwords.checkCapacity(flooder)).toThrow(SignInOverloadError);
    expect(() => passwords.checkCapacity(ann)).not.toThrow();
    const legitimate = watch(passwords, ['a'], ann);
    await vi.advanceTimersByTimeAsync(0);
    expect([...flood]).toEqual([['f3', 'SignInOverloadError']]);
    await finish();
    await finish();
    expect(begun).toEqual(['f0', 'f1', 'a']);
    await finish();
    expect(legitimate.get('a')).toBe('hash of a');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('replaces a job of the kind that fills it by one of another kind', async () => {
    const { hasher } = deferredHasher();
    const passwords = new Passwords({ hasher, concurrency: 1, maxWaiting: 3 });
    for (let host = 0; host < 4; host += 1)
      watch(passwords, [`u${host}`], { kind: 'sign-up', source: `host ${host}` });
    await vi.advanceTimersByTimeAsync(0);
    expect(() => passwords.checkCapacity({ kind: 'sign-up', source: 'ann' })).toThrow(SignInOverloadError);
    expect(() => passwords.checkCapacity({ kind: 'sign-in', source: 'ann' })).not.toThrow();
  });

  it('serves the accounts of one source in turn, which together have the share of one source', async () => {
    const { begun, hasher, finish } = deferredHasher();
    const passwords = new Passwords({ hasher, concurrency: 1, maxWaiting: 4 });
    const here = { kind: 'change', source: 'here' };
    const flood = watch(passwords, ['f1', 'f2', 'f3', 'f4', 'f5'], { ...here, account: 'flooder' });
    const neighbour = watch(passwords, ['n'], { ...here, account: 'neighbour' });
    const elsewhere = watch(passwords, ['e'], { kind: 'change', source: 'elsewhere', account: 'ann' });
    await vi.advanceTimersByTimeAsync(0);
    expect([...flood.keys()]).toEqual(['f5', 'f4']);
    for (let job = 0; job < 5; job += 1) await finish();
    expect(begun).toEqual(['f1', 'f2', 'e', 'n', 'f3']);
    expect([...neighbour.values(), ...elsewhere.values()]).toEqual(['hash of n', 'hash of e']);
  });

  it('rejects at once when the queue is full', async () => {
    const { hasher } = deferredHasher();
    const names = Array.from({ length: 67 }, (_, index) => `p${index}`);
    const outcomes = watch(new Passwords({ hasher }), names);
    await vi.advanceTimersByTimeAsync(0);
    expect([...outcomes]).toEqual([['p66', 'SignInOverloadError']]);
  });

  it('runs work around a comparison in the same slot', async () => {
    const passwords = new Passwords({
      hasher: { hash: async () => '', verify: async () => true },
      concurrency: 1,
    });
    const events: string[] = [];
    const work = (name: string) =>
      passwords.runQueued(async (compare) => {
        events.push(`${name} begins`);
        await compare(undefined, name);
        events.push(`${name} ends`);
      });
    await Promise.all([work('a'), work('b')]);
    expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('reports beforehand that the queue is full', async () => {
    const { hasher, finish } = deferredHasher();
    const passwords = new Passwords({ hasher, concurrency: 1, maxWaiting: 1 });
    expect(() => passwords.checkCapacity()).not.toThrow();
    watch(passwords, ['a', 'b']);
    await vi.advanceTimersByTimeAsync(0);
    expect(() => passwords.checkCapacity()).toThrow(SignInOverloadError);
    await finish();
    expect(() => passwords.checkCapacity()).not.toThrow();
  });

  it('rejects jobs that have not started by the deadline, and runs the rest', async () => {
    const { begun, hasher, finish } = deferredHasher();
    const passwords = new Passwords({ hasher, concurrency: 1 });
    const first = watch(passwords, ['a', 'b']);
    await vi.advanceTimersByTimeAsync(1500);
    const later = watch(passwords, ['c']);
    await vi.advanceTimersByTimeAsync(500);
    expect([...first]).toEqual([['b', 'SignInOverloadError']]);
    await finish();
    expect(begun).toEqual(['a', 'c']);
    expect(first.get('a')).toBe('hash of a');
    await finish();
    expect(later.get('c')).toBe('hash of c');
  });

  it('lets a started job take longer than the deadline', async () => {
    const { hasher, finish } = deferredHasher();
    const outcomes = watch(new Passwords({ hasher }), ['a']);
    await vi.advanceTimersByTimeAsync(60_000);
    await finish();
    expect(outcomes.get('a')).toBe('hash of a');
  });

  it('leaves no timer behind', async () => {
    const { hasher, finish } = deferredHasher();
    watch(new Passwords({ hasher, concurrency: 1 }), ['a', 'b']);
    await vi.advanceTimersByTimeAsync(0);
    await finish();
    await finish();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('frees the slot when a job fails', async () => {
    const { begun, hasher, fail } = deferredHasher();
    const outcomes = watch(new Passwords({ hasher, concurrency: 1 }), ['a', 'b']);
    await vi.advanceTimersByTimeAsync(0);
    await fail();
    expect(outcomes.get('a')).toBe('Error');
    expect(begun).toEqual(['a', 'b']);
  });

  it('frees the slot when nothing waits, repeatedly', async () => {
    const { begun, hasher, finish } = deferredHasher();
    const passwords = new Passwords({ hasher, concurrency: 1 });
    for (const name of ['a', 'b', 'c']) {
      watch(passwords, [name]);
      await vi.advanceTimersByTimeAsync(0);
      await finish();
    }
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  it('counts comparisons and hashes together', async () => {
    const { hasher } = deferredHasher();
    const passwords = new Passwords({ hasher, concurrency: 1, maxWaiting: 0 });
    watch(passwords, ['a']);
    await vi.advanceTimersByTimeAsync(0);
    await expect(passwords.matches(undefined, 'b')).rejects.toThrow(SignInOverloadError);
  });

  it('replies with Retry-After', async () => {
    const { hasher } = deferredHasher();
    const passwords = new Passwords({ hasher, concurrency: 1, maxWaiting: 0, deadlineMs: 1500 });
    watch(passwords, ['a']);
    await vi.advanceTimersByTimeAsync(0);
    await expect(passwords.hash('b')).rejects.toMatchObject({ reply: { headers: { 'Retry-After': '2' } } });
  });
});
