import { Pressure, type PressureLimits } from './pressure';

describe('the pressure on a program', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** A program whose loop may be held up: its clock goes on while its timers do not. */
  const program = (limits: Partial<PressureLimits> = {}, inFlight = 0) => {
    let heldUpMs = 0;
    const pressure = new Pressure(
      { maxDelayMs: 100, maxInFlight: 10, ...limits },
      () => inFlight,
      () => performance.now() + heldUpMs,
    );
    return {
      isRefusing: () => pressure.isTooHigh(),
      holdUp: (ms: number) => (heldUpMs += ms),
      turn: () => vi.advanceTimersByTime(20),
    };
  };

  it('is low while the loop is on time', () => {
    const { isRefusing, turn } = program();
    const answers = Array.from({ length: 50 }, () => {
      turn();
      return isRefusing();
    });
    expect(answers).not.toContain(true);
  });

  it('is not high for one late turn, as after a collection of garbage', () => {
    const { isRefusing, turn, holdUp } = program();
    isRefusing();
    holdUp(1000);
    expect(isRefusing()).toBe(false);
    turn();
    expect(isRefusing()).toBe(false);
  });

  it('is high for what finds the next turn late, too, and low again when turns are short', () => {
    const { isRefusing, turn, holdUp } = program();
    isRefusing();
    holdUp(200);
    turn();
    expect(isRefusing()).toBe(false);
    holdUp(150);
    expect(isRefusing()).toBe(true);
    turn();
    isRefusing();
    turn();
    expect(isRefusing()).toBe(false);
  });

  it('is high when too many requests wait for their answer', () => {
    expect(program({}, 9).isRefusing()).toBe(false);
    expect(program({}, 10).isRefusing()).toBe(true);
    expect(program({ maxDelayMs: false }, 10).isRefusing()).toBe(true);
  });

  it('is never high by the clock when nobody set a limit', () => {
    const { isRefusing, turn, holdUp } = program({ maxDelayMs: false });
    isRefusing();
    holdUp(9000);
    turn();
    holdUp(9000);
    expect(isRefusing()).toBe(false);
  });

  it('leaves no timer running while nobody asks', () => {
    const { isRefusing } = program();
    isRefusing();
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(60);
    expect(vi.getTimerCount()).toBe(0);
  });
});
