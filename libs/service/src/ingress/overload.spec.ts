import { OverloadDetector, type OverloadLimits } from './overload';

/**
 * A program in a clock of its own. What waits stands in one queue, in which marks stand too, and is read one by one: an
 * reply takes as long as `answerMs` says, a refusal a tenth of it.
 */
function program({ answerMs = 1, inFlight = 0, ...limits }: Partial<OverloadLimits> & Run = {}) {
  let now = 0;
  const queue: (() => void)[] = [];
  const pressure = new OverloadDetector(
    { maxDelayMs: 100, maxInFlight: 10, ...limits },
    () => inFlight,
    () => now,
    (reached) => void queue.push(reached),
  );
  const waits: number[] = [];
  const refusals: number[] = [];

  const arriveAt = (at: number) => {
    queue.push(() => {
      const isRefused = pressure.isTooHigh();
      (isRefused ? refusals : waits).push(now - at);
      now += isRefused ? answerMs / 10 : answerMs;
    });
  };
  return {
    waits,
    refusals,
    /** Requests that come at this rate, and are read as soon as those before them. */
    run: (perSecond: number, forMs: number): void => {
      const end = now + forMs;
      const everyMs = 1000 / perSecond;
      let due = now;
      for (;;) {
        for (; due <= now && due < end; due += everyMs) arriveAt(due);
        const next = queue.shift();
        if (next) next();
        else if (due < end) now = due;
        else return;
      }
    },
    /** One piece of work that nothing comes between, with these requests behind it. */
    holdUp: (ms: number, arriving: number): void => {
      queue.push(() => (now += ms));
      for (let at = 0; at < arriving; at++) arriveAt(now);
    },
    isRefusing: () => pressure.isTooHigh(),
    marks: () => queue.length,
    wait: (ms: number) => (now += ms),
  };
}

interface Run {
  readonly answerMs?: number;
  readonly inFlight?: number;
}

const longest = (waits: readonly number[]) => Math.max(0, ...waits);

describe('the pressure on a program', () => {
  it('is low as long as it can answer what comes', () => {
    const { run, refusals } = program();
    run(500, 5000);
    run(990, 5000);
    expect(refusals).toEqual([]);
  });

  it.each([1.1, 1.5, 2, 4])('bounds the wait when %s times as much comes as it can answer', (times) => {
    const { run, waits, refusals } = program();
    run(500, 1000);
    run(1000 * times, 20_000);
    expect(refusals.length).toBeGreaterThan(0);
    // The wait of one round may be just short of the limit, and the next is as many times as long.
    expect(longest(waits)).toBeLessThan(100 * (1 + times));
  });

  it('lets those it answers wait no longer than some half of the limit, once it had to refuse', () => {
    const { run, waits, refusals } = program();
    run(2000, 1000);
    waits.length = refusals.length = 0;
    run(2000, 20_000);
    expect(longest(waits)).toBeLessThan(60);
    expect(longest(refusals)).toBeLessThan(60);
  });

  it('leaves nearly all of its time to answers', () => {
    const { run, waits } = program();
    run(2000, 20_000);
    // A refusal takes a tenth of a reply here: to refuse what is too much takes 0.11 of each second.
    expect(waits.length / 20).toBeGreaterThan(860);
  });

  it('is low again as soon as less comes', () => {
    const { run, waits, refusals } = program();
    run(4000, 5000);
    waits.length = refusals.length = 0;
    run(900, 5000);
    expect(refusals.length).toBe(0);
    expect(longest(waits)).toBeLessThan(5);
  });

  it('is measured by the whole limit again a second after the last refusal', () => {
    const { run, holdUp, waits, refusals } = program();
    run(4000, 1000);
    run(500, 2000);
    waits.length = refusals.length = 0;
    // As many come as are answered, so that each waits for the sixty before it.
    holdUp(0, 60);
    run(1000, 500);
    expect(refusals).toEqual([]);
    expect(longest(waits)).toBeGreaterThan(50);
  });

  it('is not high for one long wait, as after a collection of garbage', () => {
    const { run, holdUp, refusals } = program();
    run(500, 1000);
    holdUp(1000, 50);
    run(500, 1000);
    holdUp(1000, 50);
    run(500, 1000);
    expect(refusals).toEqual([]);
  });

  it('is high when too many requests wait for their reply', () => {
    expect(program({ inFlight: 9 }).isRefusing()).toBe(false);
    expect(program({ inFlight: 10 }).isRefusing()).toBe(true);
    expect(program({ inFlight: 10, maxDelayMs: false }).isRefusing()).toBe(true);
  });

  it('is not measured when nobody set a limit', () => {
    const { isRefusing, marks } = program({ maxDelayMs: false });
    expect([isRefusing(), marks()]).toEqual([false, 0]);
  });

  it('is measured by one mark at a time, and not with every request', () => {
    const { isRefusing, marks, wait, run } = program();
    for (let at = 0; at < 5; at++) isRefusing();
    expect(marks()).toBe(1);
    wait(50);
    isRefusing();
    expect(marks()).toBe(1);
    run(0, 0);
    isRefusing();
    expect(marks()).toBe(1);
  });
});
