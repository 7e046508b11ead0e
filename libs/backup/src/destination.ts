import type { Readable } from 'node:stream';

/** The place where backups are kept: a folder, or an S3 bucket. */
export interface Destination {
  /** The place's name, for messages. */
  readonly place: string;
  /** Lists the names of complete files that begin with `prefix`, in order. */
  list(prefix: string): Promise<readonly string[]>;
  /** Writes a file, which gets its name once it is complete and durable. It replaces a file with the same name. */
  write(name: string, content: Readable): Promise<void>;
  /** Opens a file. @throws if it does not exist */
  read(name: string): Promise<Readable>;
  remove(name: string): Promise<void>;
}
