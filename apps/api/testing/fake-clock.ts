import { DatabaseClock } from '@app/persistence';
import type { BootedProgram } from '@app/service/testing';

/** The clocks of a program, controlled by a test. */
export interface FakeClock {
  /** Advances the clocks of the program and of its database by milliseconds; sets them back if negative. */
  pass(ms: number): void;
}

/** Fakes the clocks of a program for one test file. Timers stay real, since sockets need them. */
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
