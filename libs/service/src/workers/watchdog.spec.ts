import { Watchdog } from './watchdog';

describe('the watchdog of workers', () => {
  const hung: number[] = [];
  let watchdog: Watchdog;
  beforeEach(() => {
    vi.useFakeTimers();
    watchdog = new Watchdog(10, (worker) => hung.push(worker));
  });
  afterEach(() => {
    watchdog.stop();
    vi.useRealTimers();
    hung.length = 0;
  });

  it('finds one that has listened and is silent for longer than ten seconds, once', () => {
    watchdog.watch(1, true);
    watchdog.watch(2, false);
    watchdog.note(1);
    watchdog.note(2);
    for (let second = 0; second < 10; second++) {
      vi.advanceTimersByTime(1000);
      watchdog.note(1);
    }
    expect(hung).toEqual([]);
    vi.advanceTimersByTime(9000);
    expect(hung).toEqual([2]);
  });

  it('waits longer for one that starts, and for the first as long as it takes', () => {
    watchdog.watch(1, true);
    watchdog.watch(2, false);
    vi.advanceTimersByTime(150_000);
    expect(hung).toEqual([]);
    vi.advanceTimersByTime(3_600_000);
    expect(hung).toEqual([2]);
  });

  it('forgets one that has exited', () => {
    watchdog.watch(1, false);
    watchdog.note(1);
    watchdog.forget(1);
    watchdog.note(1);
    vi.advanceTimersByTime(60_000);
    expect(hung).toEqual([]);
  });
});
