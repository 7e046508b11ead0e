import { Repeat } from '@app/timers';

/** How often a worker sends a sign of life in the time after which it counts as hung. */
const beatsInTimeout = 10;

/** A start may wait this long for a migration of another program. */
const startMs = 150_000;

/** How often a worker sends a sign of life, in milliseconds. */
export function beatEveryMs(timeoutSeconds: number): number {
  return (timeoutSeconds * 1000) / beatsInTimeout;
}

/**
 * Finds workers that send no signs of life. It counts its own looks and not the time, so that a machine that was suspended, or
 * has no CPU for its programs, takes none of them for hung.
 */
export class Watchdog {
  private readonly looks = new Map<number, { missed: number; limit: number }>();
  private readonly repeat: Repeat;

  /** @param onHung called once for a worker, with its number, until {@link watch} is called for it again */
  constructor(
    private readonly timeoutSeconds: number,
    private readonly onHung: (worker: number) => void,
  ) {
    this.repeat = new Repeat(() => this.look(), beatEveryMs(timeoutSeconds));
    this.repeat.start();
  }

  /** A worker that begins to start. @param isFirst it migrates, which takes what it takes */
  watch(worker: number, isFirst: boolean): void {
    const limit = isFirst ? Number.POSITIVE_INFINITY : startMs / beatEveryMs(this.timeoutSeconds);
    this.looks.set(worker, { missed: 0, limit });
  }

  /** A sign of life, of a worker that listens. */
  note(worker: number): void {
    if (this.looks.has(worker)) this.looks.set(worker, { missed: 0, limit: beatsInTimeout });
  }

  forget(worker: number): void {
    this.looks.delete(worker);
  }

  stop(): void {
    void this.repeat.stop();
  }

  private look(): void {
    for (const [worker, looks] of this.looks) {
      looks.missed += 1;
      if (looks.missed <= looks.limit) continue;
      this.forget(worker);
      this.onHung(worker);
    }
  }
}
