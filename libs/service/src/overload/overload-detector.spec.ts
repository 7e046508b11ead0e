import { OverloadDetector, type OverloadLimits } from './overload-detector';

/**
 * A simulated program with its own clock. Requests and marks wait in one queue and are read one by one: a response takes
 * `answerMs`, a rejection a tenth of it.
 */
function program({ answerMs = 1, inFlight = 0, ...limits }: Partial<OverloadLimits> & Run = {}) {
  let now = 0;
  const queue: (() => void)[] = [];
  const detector = new OverloadDetector(
    { maxDelayMs: 100, maxInFlight: 10, ...limits },
    () => inFlight,
    () => now,
    (reached) => void queue.push(reached),
  );
  const waits: number[] = [];
  const rejections: number[] = [];

  const arriveAt = (at: number) => {
    queue.push(() => {
      const isRejected = detector.isOverloaded();
      (isRejected ? rejections : waits).push(now - at);
      now += isRejected ? answerMs / 10 : answerMs;
    });
  };
  return {
    waits,
    rejections,
    /** Requests arrive at this rate; each is read as soon as those before it are done. */
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
    /** A synchronous task, with these requests queued behind it. */
    block: (ms: number, arriving: number): void => {
      queue.push(() => (now += ms));
      for (let at = 0; at < arriving; at++) arriveAt(now);
    },
    isRejecting: () => detector.isOverloaded(),
    marks: () => queue.length,
    wait: (ms: number) => (now += ms),
  };
}

interface Run {
  readonly answerMs?: number;
  readonly inFlight?: number;
}

const longest = (waits: readonly number[]) => Math.max(0, ...waits);

describe('the overload detector', () => {
  it('rejects nothing below capacity', () => {
    const { run, rejections } = program();
    run(500, 5000);
    run(990, 5000);
    expect(rejections).toEqual([]);
  });

  it.each([1.1, 1.5, 2, 4])('bounds the wait at %s times the capacity', (times) => {
    const { run, waits, rejections } = program();
    run(500, 1000);
    run(1000 * times, 20_000);
    expect(rejections.length).toBeGreaterThan(0);
    // One measurement may be just below the limit, and the next is that many times as long.
    expect(longest(waits)).toBeLessThan(100 * (1 + times));
  });

  it('keeps the wait of accepted requests near half of the limit while overload lasts', () => {
    const { run, waits, rejections } = program();
    run(2000, 1000);
    waits.length = rejections.length = 0;
    run(2000, 20_000);
    expect(longest(waits)).toBeLessThan(60);
    expect(longest(rejections)).toBeLessThan(60);
  });

  it('spends nearly all time on accepted requests', () => {
    const { run, waits } = program();
    run(2000, 20_000);
    // A rejection takes a tenth of a response here: rejecting the surplus takes 0.11 of each second.
    expect(waits.length / 20).toBeGreaterThan(860);
  });

  it('rejects nothing any more as soon as the load is below capacity', () => {
    const { run, waits, rejections } = program();
    run(4000, 5000);
    waits.length = rejections.length = 0;
    run(900, 5000);
    expect(rejections.length).toBe(0);
    expect(longest(waits)).toBeLessThan(5);
  });

  it('applies the upper limit again a second after the last rejection', () => {
    const { run, block, waits, rejections } = program();
    run(4000, 1000);
    run(500, 2000);
    waits.length = rejections.length = 0;
    // At capacity, each request waits for the sixty before it.
    block(0, 60);
    run(1000, 500);
    expect(rejections).toEqual([]);
    expect(longest(waits)).toBeGreaterThan(50);
  });

  it('ignores a single long wait, such as a garbage collection', () => {
    const { run, block, rejections } = program();
    run(500, 1000);
    block(1000, 50);
    run(500, 1000);
    block(1000, 50);
    run(500, 1000);
    expect(rejections).toEqual([]);
  });

  it('rejects when too many requests are in flight', () => {
    expect(program({ inFlight: 9 }).isRejecting()).toBe(false);
    expect(program({ inFlight: 10 }).isRejecting()).toBe(true);
    expect(program({ inFlight: 10, maxDelayMs: false }).isRejecting()).toBe(true);
  });

  it('measures nothing without a limit', () => {
    const { isRejecting, marks } = program({ maxDelayMs: false });
    expect([isRejecting(), marks()]).toEqual([false, 0]);
  });

  it('has one mark in the queue at a time, and not one per request', () => {
    const { isRejecting, marks, wait, run } = program();
    for (let at = 0; at < 5; at++) isRejecting();
    expect(marks()).toBe(1);
    wait(50);
    isRejecting();
    expect(marks()).toBe(1);
    run(0, 0);
    isRejecting();
    expect(marks()).toBe(1);
  });
});
