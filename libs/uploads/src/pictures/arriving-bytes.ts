/** What a walk over a file does with the bytes that it passes. */
type Visit = (bytes: Uint8Array) => void;

/** A walk over a file: it is resumed with each chunk that arrives, and with `undefined` after the last one. */
export type Walk<Result = void> = Generator<undefined, Result, Uint8Array | undefined>;

/** The file is not as its format requires, for this reason. */
export class BrokenStructureError extends Error {
  override readonly name = 'BrokenStructureError';
}

/** The bytes of a file for a {@link Walk}. Of each chunk, what the walk has passed is forgotten. */
export class ArrivingBytes {
  private chunk: Uint8Array = new Uint8Array(0);
  private position = 0;

  /** The next bytes; to be called for a few. */
  *take(count: number): Walk<Buffer> {
    const parts: Uint8Array[] = [];
    yield* this.pass(count, (bytes) => parts.push(bytes));
    return Buffer.concat(parts);
  }

  /** Passes any number of bytes. */
  *pass(count: number, visit?: Visit): Walk {
    for (let left = count; left > 0;) {
      if (this.position === this.chunk.length) yield* this.more();
      const bytes = this.chunk.subarray(this.position, this.position + left);
      this.position += bytes.length;
      left -= bytes.length;
      visit?.(bytes);
    }
  }

  /** Passes all bytes up to the next one with this value, and that one. */
  *passThrough(value: number): Walk {
    for (;;) {
      const found = this.chunk.indexOf(value, this.position);
      this.position = found === -1 ? this.chunk.length : found + 1;
      if (found !== -1) return;
      yield* this.more();
    }
  }

  /** Of the last chunk, what was passed. */
  passed(): Uint8Array {
    return this.chunk.subarray(0, this.position);
  }

  /** @throws BrokenStructureError if more bytes arrive */
  *end(): Walk {
    if (this.position < this.chunk.length) throw new BrokenStructureError('has data after its end');
    if ((yield) !== undefined) throw new BrokenStructureError('has data after its end');
  }

  private *more(): Walk {
    const chunk = yield;
    if (chunk === undefined) throw new BrokenStructureError('ends too early');
    [this.chunk, this.position] = [chunk, 0];
  }
}
