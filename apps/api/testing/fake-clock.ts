import { DatabaseClock } from '@app/accounts';
import type { BootedProgram } from '@app/service/testing';

/** The clocks of a program, controlled by a test. */
export interface FakeClock {
  /** Advances all clocks, in milliseconds. */
  pass(ms: number): void;
  /** Sets the system clocks of the program and of its database, in milliseconds. */
  step(ms: number): void;
}

/** Fakes the clocks of a program for one test file. Timers stay real, since sockets need them. */
export function useFakeClock(program: BootedProgram): FakeClock {
  let [passed, stepped] = [0, 0];
  const monotonic = () => performance.now() + passed;
  const wall = () => performance.timeOrigin + monotonic() + stepped;
  const set = () => void vi.useFakeTimers({ toFake: ['Date'], now: wall() });
  beforeAll(() => {
    const { sources } = program.app().get(DatabaseClock, { strict: false });
    vi.spyOn(sources, 'wall').mockImplementation(async () => wall());
    vi.spyOn(sources, 'monotonic').mockImplementation(monotonic);
  });
  afterEach(() => void vi.useRealTimers());
  return {
    pass: (ms) => {
      passed += ms;
      set();
    },
    step: (ms) => {
      stepped += ms;
      set();
    },
  };
}
