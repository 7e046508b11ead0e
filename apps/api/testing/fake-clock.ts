import { DatabaseClock } from '@app/persistence';
import type { BootedProgram } from '@app/service/testing';

/** A program's clocks, controlled by a test. */
export interface FakeClock {
  /** Advances the clocks of the program and its database by this many milliseconds. A negative number sets them back. */
  pass(ms: number): void;
}

/** Fakes the clocks of a program for a test file. Timers stay real, because sockets need them. */
export function useFakeClock(program: BootedProgram): FakeClock {
  let ahead = 0;
  const now = () => performance.timeOrigin + performance.now() + ahead;
  beforeAll(() => {
    const clock = program.app().get(DatabaseClock, { strict: false });
    vi.spyOn(clock, 'wall').mockImplementation(async () => now());
  });
  afterEach(() => void vi.useRealTimers());
  return {
    pass: (ms) => {
      ahead += ms;
      vi.useFakeTimers({ toFake: ['Date'], now: now() });
    },
  };
}
