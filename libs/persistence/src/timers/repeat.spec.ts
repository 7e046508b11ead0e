import { Repeat } from './repeat';

describe('a repeated task', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('runs after each interval, until it is stopped', async () => {
    const task = vi.fn<() => void>();
    const repeat = new Repeat(task, 1_000);
    repeat.start();
    await vi.advanceTimersByTimeAsync(999);
    expect(task).not.toHaveBeenCalled();
    vi.advanceTimersByTime(2_001);
    expect(task).toHaveBeenCalledTimes(3);
    await repeat.stop();
    await vi.advanceTimersByTimeAsync(5_000);
    expect([task.mock.calls.length, vi.getTimerCount()]).toEqual([3, 0]);
  });

  it('runs at once on request', async () => {
    const task = vi.fn<() => Promise<void>>(async () => undefined);
    const repeat = new Repeat(task, 1_000);
    await repeat.startNow();
    expect(task).toHaveBeenCalledTimes(1);
    await repeat.stop();
  });

  it('never runs twice at once, and is awaited by a stop', async () => {
    const begun = Promise.withResolvers<void>();
    const task = vi.fn<() => Promise<void>>(() => begun.promise);
    const repeat = new Repeat(task, 1_000);
    const first = repeat.startNow();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(repeat.run()).toBe(repeat.run());
    expect(task).toHaveBeenCalledTimes(1);
    let isStopped = false;
    const stopped = repeat.stop().then(() => (isStopped = true));
    await vi.advanceTimersByTimeAsync(0);
    expect(isStopped).toBe(false);
    begun.resolve();
    await Promise.all([first, stopped]);
  });

  it('runs afresh after the run that has begun', async () => {
    const begun = Promise.withResolvers<void>();
    const task = vi.fn<() => Promise<void>>(async () => undefined).mockReturnValueOnce(begun.promise);
    const repeat = new Repeat(task, 1_000);
    const first = repeat.run();
    const afresh = [repeat.runAfresh(), repeat.runAfresh()];
    await vi.advanceTimersByTimeAsync(0);
    expect(task).toHaveBeenCalledTimes(1);
    begun.resolve();
    await Promise.all([first, ...afresh]);
    expect(task).toHaveBeenCalledTimes(2);
  });

  it('runs again after a failure', async () => {
    const task = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('once'));
    const repeat = new Repeat(task, 1_000);
    await expect(repeat.run()).rejects.toThrow('once');
    await repeat.run();
    expect(task).toHaveBeenCalledTimes(2);
  });

  it('keeps no program alive', () => {
    vi.useRealTimers();
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout');
    const before = timers();
    const repeat = new Repeat(() => undefined, 1_000_000);
    repeat.start();
    expect(timers()).toEqual(before);
    void repeat.stop();
  });
});
