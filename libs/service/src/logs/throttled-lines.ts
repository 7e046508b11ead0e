const everyMs = 1000;

/** Writes a line about events of one kind, of which there were `count` since the last. */
export type WriteLine = (count: number) => void;

interface Pending {
  count: number;
  write: WriteLine;
}

/**
 * Log lines that any client can cause at any rate: the first of a kind is written at once, further ones are counted,
 * and written as one line a second.
 */
export class ThrottledLines {
  private readonly kinds = new Map<string, Pending>();

  /**
   * @param kind  one of few: each has a timer while it occurs
   * @param write writes the line; of several in a second, that of the last one is called
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

  /** Writes what is still counted, before the program ends. */
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
