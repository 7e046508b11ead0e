import type { Readable } from 'node:stream';

/** Where backups are kept: a folder, or a bucket of S3. */
export interface Destination {
  /** For messages. */
  readonly place: string;
  /** The names of complete files that begin with `prefix`, in their order. */
  list(prefix: string): Promise<readonly string[]>;
  /** Writes a file; it has its name once it is complete and durable. One of the same name is replaced. */
  write(name: string, content: Readable): Promise<void>;
  /** @throws if it does not exist */
  read(name: string): Promise<Readable>;
  remove(name: string): Promise<void>;
}
