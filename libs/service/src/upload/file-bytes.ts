import type { Readable } from 'node:stream';
import { SAMPLE_BYTES } from './media-type';

/** The bytes of a file while it arrives: its beginning is read first, to recognise its type. */
export class FileBytes implements AsyncIterable<Uint8Array> {
  private readonly chunks: AsyncIterator<Buffer>;
  private readonly begun: Buffer[] = [];
  private isDone = false;
  /** How many have been read. */
  count = 0;
  /** Why it did not arrive completely. */
  failure: unknown;

  /** @param check called after the last byte; throws if the file is not complete */
  constructor(
    stream: Readable,
    private readonly check: () => void,
  ) {
    this.chunks = stream[Symbol.asyncIterator]();
  }

  /** The first bytes; to be called once, before the file is read. */
  async sample(): Promise<Buffer> {
    while (this.count < SAMPLE_BYTES && !this.isDone) {
      const chunk = await this.next();
      if (chunk) this.begun.push(chunk);
    }
    return Buffer.concat(this.begun).subarray(0, SAMPLE_BYTES);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    yield* this.begun.splice(0);
    for (let chunk = await this.next(); chunk !== undefined; chunk = await this.next()) yield chunk;
  }

  private async next(): Promise<Buffer | undefined> {
    try {
      const { value, done } = await this.chunks.next();
      this.isDone = done === true;
      if (this.isDone) this.check();
      else this.count += value.length;
      return this.isDone ? undefined : value;
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }
}
