const everyMs = 1000;

/** Writes a line about `count` events of the same kind since the last line. */
export type WriteLine = (count: number) => void;

interface Pending {
  count: number;
  write: WriteLine;
}

/**
 * Throttles log lines that any client can cause at any rate. The first event of each kind is logged at once. Further events are
 * counted and logged in a line per second.
 */
export class ThrottledLines {
  private readonly kinds = new Map<string, Pending>();

  /**
   * @param kind the event's kind; use few kinds because each has a timer while it occurs
   * @param write writes the line; if several events occur within a second, the last function is called
   */
  add(kind: string, write: WriteLine): void {
    const pending = this.kinds.get(kind);
    if (pending) Object.assign(pending, { count: pending.count + 1, write });
    else {
      this.kinds.set(kind, { count: 0, write });
      write(1);
      this.writeLater(kind);
    }
  }

  /** Writes the lines that are still pending, before the program ends. */
  flush(): void {
    for (const [kind, { count, write }] of this.kinds) {
      this.kinds.delete(kind);
      if (count > 0) write(count);
    }
  }

  private writeLater(kind: string): void {
    setTimeout(() => this.writePending(kind), everyMs).unref();
  }

  private writePending(kind: string): void {
    const pending = this.kinds.get(kind);
    if (pending === undefined) return;
    const { count, write } = pending;
    if (count === 0) this.kinds.delete(kind);
    else {
      pending.count = 0;
      write(count);
      this.writeLater(kind);
    }
  }
}
