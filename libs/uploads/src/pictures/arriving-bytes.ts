/** Receives the bytes that a walk passes. */
type Visit = (bytes: Uint8Array) => void;

/** A walk over a file. It is resumed with each chunk that arrives, and with `undefined` after the last chunk. */
export type Walk<Result = void> = Generator<undefined, Result, Uint8Array | undefined>;

/** The file violates its format, for this reason. */
export class BrokenStructureError extends Error {
  override readonly name = 'BrokenStructureError';
}

/** The bytes that a {@link Walk} reads. It forgets the part of each chunk that the walk has passed. */
export class ArrivingBytes {
  private chunk: Uint8Array = new Uint8Array(0);
  private position = 0;

  /** Returns the next bytes. Call it for small numbers. */
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

  /** Passes all bytes up to and including the next byte with this value. */
  *passThrough(value: number): Walk {
    for (;;) {
      const index = this.chunk.indexOf(value, this.position);
      this.position = index === -1 ? this.chunk.length : index + 1;
      if (index !== -1) return;
      yield* this.more();
    }
  }

  /** Returns the passed part of the last chunk. */
  passed(): Uint8Array {
    return this.chunk.subarray(0, this.position);
  }

  /** Waits for the end. @throws BrokenStructureError if more bytes arrive */
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
