import { randomBytes } from 'node:crypto';

/** What orders an entry of the log among those of its program. */
export interface EntryNumber {
  /** A random name, chosen at the start of the program. */
  readonly program: string;
  /** From 1, without order between programs. */
  readonly number: number;
  /** The transactions of all lesser numbers had ended when this one was given: a reader that sees this entry sees theirs, or there are none. */
  readonly settledBelow: number;
}

/**
 * Numbers the entries that this program writes to the log of revocations. A reader cannot go by the order of ids, since
 * transactions commit in another one; it goes by what the program knows of its own transactions.
 */
export class EntryNumbers {
  private last = 0;
  /** When each number was given whose transaction may still commit. Iterates in ascending order. */
  private readonly pending = new Map<number, number>();

  /**
   * @param keepMs for how long a transaction of unknown outcome counts as pending, such as until the affected tokens have expired
   * @param now    milliseconds of a monotonic clock
   * @param program its name
   */
  constructor(
    private readonly keepMs = Infinity,
    private readonly now: () => number = () => performance.now(),
    private readonly program = randomBytes(9).toString('base64url'),
  ) {}

  /** The number of the next entry, which is pending until it is settled. */
  next(): EntryNumber {
    const [number, now] = [(this.last += 1), this.now()];
    this.pending.set(number, now);
    for (const [first, givenAt] of this.pending) {
      if (now - givenAt <= this.keepMs) return { program: this.program, number, settledBelow: first };
      this.pending.delete(first);
    }
    return { program: this.program, number, settledBelow: number };
  }

  /** Their transaction was committed or rolled back. Not called if its outcome is unknown, or not known yet. */
  settle(numbers: readonly EntryNumber[]): void {
    for (const { number } of numbers) this.pending.delete(number);
  }
}
