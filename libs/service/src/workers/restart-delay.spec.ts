import { RestartDelay } from './restart-delay';

describe('the delay before a worker is started again', () => {
  it('doubles up to half a minute while workers end soon', () => {
    const delay = new RestartDelay();
    const delays = Array.from({ length: 11 }, () => delay.next(2000));
    expect(delays).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
  });

  it('is short again after a worker that ran for a minute', () => {
    const delay = new RestartDelay();
    delay.next(0);
    delay.next(0);
    expect(delay.next(60_000)).toBe(100);
  });
});
