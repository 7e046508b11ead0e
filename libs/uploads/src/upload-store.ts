import type { Readable } from 'node:stream';

/** An uploaded file, as a handler receives it. The pipe does not validate it. */
export interface UploadedFile {
  /** The key of the file in the store. */
  readonly key: string;
  /** The name that the client gave, without folders. It may be any text, so use it for display only. */
  readonly name: string;
  /** The media type, recognised by the first bytes. The whole file is checked if the route accepts its picture type by name. */
  readonly type: string;
  readonly bytes: number;
}

/** The store for uploaded files: a folder by default ({@link DiskUploads}), or the store that a program provides. */
export abstract class UploadStore {
  /** Prepares the store. It is called once at start, if the program has a route with `@Upload()`. */
  prepare(): Promise<void> {
    return Promise.resolve();
  }

  /**
   * Writes a file while it arrives, without holding it in memory.
   *
   * @param bytes throws if the client aborts, or sends too much; the store must then remove the file
   * @param type the media type
   * @returns the file's key, once it survives a power failure
   */
  abstract write(bytes: AsyncIterable<Uint8Array>, type: string): Promise<string>;

  /**
   * Opens a file, for `new StreamableFile(stream)`.
   *
   * @returns `undefined` if it is missing
   */
  abstract read(key: string): Promise<Readable | undefined>;

  /** Removes a file, if it exists. */
  abstract remove(key: string): Promise<void>;
}
