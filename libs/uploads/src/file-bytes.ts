import type { Readable } from 'node:stream';
import { sampleBytes } from './media-type';
import type { PictureWalk } from './pictures/picture-walk';

/** The bytes of a file while it arrives. Its beginning is read first, to recognise its type. */
export class FileBytes implements AsyncIterable<Uint8Array> {
  private readonly chunks: AsyncIterator<Buffer>;
  private begun: Uint8Array[] = [];
  private isDone = false;
  private walk: PictureWalk | undefined;
  /** The number of bytes that have been read and belong to the file. */
  count = 0;
  /** The reason for which the file did not arrive completely. */
  failure: unknown;

  /** Reads a stream. @param check called after the last byte; throws if the file is not complete */
  constructor(
    stream: Readable,
    private readonly check: () => void,
  ) {
    this.chunks = stream[Symbol.asyncIterator]();
  }

  /** Returns the first bytes. Call it once, before the file is read. */
  async sample(): Promise<Buffer> {
    while (this.count < sampleBytes && !this.isDone) {
      const chunk = await this.next();
      if (chunk) this.begun.push(chunk);
    }
    return Buffer.concat(this.begun).subarray(0, sampleBytes);
  }

  /**
   * Checks the file as a picture while it is read, from its beginning. Data that follows a photo is left out.
   *
   * @throws BrokenStructureError if its beginning is broken
   */
  checkBy(walk: PictureWalk): void {
    this.begun = this.begun.map((chunk) => walk.add(chunk)).filter(({ length }) => length > 0);
    this.count = this.begun.reduce((sum, { length }) => sum + length, 0);
    if (this.isDone) walk.finish();
    this.walk = walk;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    yield* this.begun.splice(0);
    for (let chunk = await this.next(); chunk !== undefined; chunk = await this.next())
      if (chunk.length > 0) yield chunk;
  }

  private async next(): Promise<Uint8Array | undefined> {
    try {
      const { value, done } = await this.chunks.next();
      this.isDone = done === true;
      if (done === true) {
        this.check();
        this.walk?.finish();
        return undefined;
      }
      const kept = this.walk?.add(value) ?? value;
      this.count += kept.length;
      return kept;
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }
}
