import { StoreClock } from '@app/accounts';
import type { BootedProgram } from '@app/service/testing';

/** The clocks of a program, controlled by a test. */
export interface HeldClock {
  /** Lets time pass, for whoever looks at a clock; nobody is kept waiting for it. In milliseconds. */
  pass(ms: number): void;
  /** Sets the clock that people set, of the program and of its store, while no time passes. In milliseconds. */
  step(ms: number): void;
}

/** Takes a program's clocks in hand for one file of tests. Timers go on as they are, so that sockets do. */
export function holdClock(program: BootedProgram): HeldClock {
  let [passed, stepped] = [0, 0];
  const monotonic = () => performance.now() + passed;
  const wall = () => performance.timeOrigin + monotonic() + stepped;
  const set = () => void vi.useFakeTimers({ toFake: ['Date'], now: wall() });
  beforeAll(() => {
    const { sources } = program.app().get(StoreClock, { strict: false });
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
