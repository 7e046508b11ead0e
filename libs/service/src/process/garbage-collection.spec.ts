import { systemTiming } from '@app/timers';
import { collectGarbageWhenIdle } from './garbage-collection';

/** Starts to wait for an idle second, with a clock of its own. */
function waiting(utilizations: readonly number[]) {
  const [shares, log] = [[...utilizations], new Array<string>()];
  let task = (): void => undefined;
  const every = (ms: number, given: () => void) => {
    log.push(`every ${ms} ms`);
    task = given;
    return () => void log.push('stopped');
  };
  collectGarbageWhenIdle(
    () => log.push('collected'),
    () => shares.shift() ?? Number.NaN,
    { ...systemTiming, every },
  );
  return { log, second: () => task() };
}

describe('the collection of garbage after a start', () => {
  it('waits for a second in which the event loop had little to do', () => {
    const { log, second } = waiting([1, 0.5, 0.11, 0.1]);
    for (let passed = 0; passed < 3; passed += 1) second();
    expect(log).toEqual(['every 1000 ms']);
    second();
    expect(log).toEqual(['every 1000 ms', 'stopped', 'collected']);
  });
});
