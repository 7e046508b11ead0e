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

  it('waits a second for a response, and no longer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const state = new StoreCheck({ check: () => new Promise(() => {}) }).state();
    const settled = vi.fn<() => void>();
    void state.then(settled);
    await vi.advanceTimersByTimeAsync(999);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(settled).toHaveBeenCalledExactlyOnceWith('unavailable');
    vi.useRealTimers();
  });
});
