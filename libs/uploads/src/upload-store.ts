import type { Readable } from 'node:stream';

/** A file that was uploaded, as a handler receives it. The pipe does not validate it. */
export interface UploadedFile {
  /** Under which the store has it. */
  readonly key: string;
  /** As the client named it, without folders; for display only, it may be any text. */
  readonly name: string;
  /** The media type, recognised by the first bytes; of a picture that the route accepts by name, by all of them. */
  readonly type: string;
  readonly bytes: number;
}

/** Where uploaded files are kept: a folder by default ({@link DiskUploads}), or what the plan of a program gives. */
export abstract class UploadStore {
  /** Called once at start, if the program has a route with `@Upload()`. */
  prepare(): Promise<void> {
    return Promise.resolve();
  }

  /**
   * Writes a file while it arrives. It is not held in memory.
   *
   * @param bytes throws if the client aborts, or sends more than is allowed: nothing may be left then
   * @param type  the media type
   * @returns the key of the file, once it survives a power failure
   */
  abstract write(bytes: AsyncIterable<Uint8Array>, type: string): Promise<string>;

  /**
   * Opens a file, for `new StreamableFile(stream)`.
   *
   * @returns `undefined` if it is missing
   */
  abstract read(key: string): Promise<Readable | undefined>;

  /** Removes a file; a missing one is no error. */
  abstract remove(key: string): Promise<void>;
}
