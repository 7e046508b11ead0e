import type { StoreHealth } from '@app/persistence';
import { StoreCheck } from './store-check';

describe('the check of a store', () => {
  it('returns none for a program without a store', async () => {
    expect(await new StoreCheck(undefined).state()).toBe('none');
  });

  it('shares one check among concurrent callers, and checks again afterwards', async () => {
    const answer = Promise.withResolvers<StoreHealth>();
    const ask = vi.fn<() => Promise<StoreHealth>>(() => answer.promise);
    const check = new StoreCheck({ check: ask });
    const states = [check.state(), check.state(), check.state()];
    answer.resolve({ state: 'ok' });
    expect(await Promise.all(states)).toEqual(['ok', 'ok', 'ok']);
    expect(ask).toHaveBeenCalledTimes(1);
    ask.mockRejectedValueOnce(new Error('away'));
    expect(await check.state()).toBe('unavailable');
    expect(ask).toHaveBeenCalledTimes(2);
    ask.mockResolvedValueOnce({ state: 'read-only' });
    expect(await check.state()).toBe('read-only');
  });

  it('repeats the last result for five seconds while a check takes longer', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    const slow = Promise.withResolvers<StoreHealth>();
    const ask = vi.fn<() => Promise<StoreHealth>>(() => slow.promise);
    const check = new StoreCheck({ check: ask });
    const afterDeadline = async () => {
      const state = check.state();
      await vi.advanceTimersByTimeAsync(1_000);
      return state;
    };
    ask.mockResolvedValueOnce({ state: 'ok' });
    expect(await check.state()).toBe('ok');
    for (let second = 1; second < 5; second += 1) expect(await afterDeadline()).toBe('ok');
    expect(await afterDeadline()).toBe('unavailable');

    slow.resolve({ state: 'read-only' });
    expect(await check.state()).toBe('read-only');
    vi.useRealTimers();
  });

  it('waits a second for a response, and no longer', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const state = new StoreCheck({ check: () => new Promise(() => {}) }).state();
    const settled = vi.fn<() => void>();
    void state.then(settled);
    await vi.advanceTimersByTimeAsync(999);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await state).toBe('unavailable');
    vi.useRealTimers();
  });
});
