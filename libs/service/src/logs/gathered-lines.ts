const EVERY_MS = 1000;

/** Writes a line about events of one kind, of which there were `count` since the last. */
export type WriteLine = (count: number) => void;

interface Gathered {
  count: number;
  write: WriteLine;
}

/**
 * Log lines that any client can cause at any rate: the first of a kind is written at once, further ones are counted,
 * and written as one line a second.
 */
export class GatheredLines {
  private readonly kinds = new Map<string, Gathered>();

  /**
   * @param kind  one of few: each has a timer while it occurs
   * @param write writes the line; of several in a second, that of the last one is called
   */
  add(kind: string, write: WriteLine): void {
    const gathered = this.kinds.get(kind);
    if (gathered) Object.assign(gathered, { count: gathered.count + 1, write });
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
    setTimeout(() => this.writeGathered(kind), EVERY_MS).unref();
  }

  private writeGathered(kind: string): void {
    const gathered = this.kinds.get(kind);
    if (gathered === undefined) return;
    const { count, write } = gathered;
    if (count === 0) this.kinds.delete(kind);
    else {
      gathered.count = 0;
      write(count);
      this.writeLater(kind);
    }
  }
}
