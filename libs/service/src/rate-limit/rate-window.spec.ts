import { RateWindow } from './rate-window';

const rate = { limit: 3, windowSeconds: 60 };
const start = Date.UTC(2026, 0, 1);

function windowAt(): { window: RateWindow; at: (ms: number) => void } {
  let now = start;
  return { window: new RateWindow('default', rate, () => now), at: (ms) => void (now = start + ms) };
}

describe('a window of a rate limit', () => {
  it('admits as many requests of a caller as its limit, and counts callers apart', () => {
    const { window } = windowAt();
    expect([1, 1, 1, 1, 1].map((id) => window.take(`account:${id}`))).toEqual([2, 1, 0, -1, -1]);
    expect([window.take('account:2'), window.take('key:1'), window.take('address:1')]).toEqual([2, 2, 2]);
  });

  it('ends at the same time in all programs, and begins anew', () => {
    const { window, at } = windowAt();
    at(59_000);
    window.take('account:1');
    expect(window.secondsLeft()).toBe(1);
    at(60_000);
    expect(window.take('account:1')).toBe(2);
    expect(window.secondsLeft()).toBe(60);
  });

  it('is the current one again after the clock was set back', () => {
    const { window, at } = windowAt();
    at(3_600_000);
    window.take('account:1');
    at(0);
    expect([window.take('account:1'), window.secondsLeft()]).toEqual([2, 60]);
  });

  it('does not count what it rejects', () => {
    const { window } = windowAt();
    for (let count = 0; count < 10; count += 1) window.take('account:1');
    expect(window.pending()).toEqual([
      { subject: 'default account:1', count: 3, endsAt: new Date(start + 60_000) },
    ]);
  });

  it('adds the requests of other programs, and keeps those that came meanwhile', () => {
    const { window } = windowAt();
    window.take('account:1');
    const sent = new Map(window.pending().map((count) => [count.subject, count]));
    window.take('account:1');
    window.learn(new Map([['default account:1', 2]]), sent);
    expect(window.pending()).toMatchObject([{ count: 1 }]);
    expect(window.take('account:1')).toBe(-1);
  });

  it('ignores totals of a window that has ended', () => {
    const { window, at } = windowAt();
    window.take('account:1');
    const sent = new Map(window.pending().map((count) => [count.subject, count]));
    at(60_000);
    window.take('account:1');
    window.learn(new Map([['default account:1', 3]]), sent);
    expect(window.take('account:1')).toBe(1);
  });

  it('remembers a bounded number of callers', () => {
    const { window } = windowAt();
    for (let caller = 0; caller <= 100_000; caller += 1) window.take(`account:${caller}`);
    expect(window.pending()).toHaveLength(100_000);
  });
});
