import { open } from 'node:fs/promises';
import { BackupError } from '../errors';

/** Bytes of the header of a WAL, and of each frame. @see https://www.sqlite.org/fileformat2.html#the_write_ahead_log */
export const [WAL_HEADER, FRAME_HEADER] = [32, 24];

/** A frame of a WAL, distinguished from each frame of any other by the checksum of all frames until it. */
export interface WalPosition {
  readonly frame: number;
  /** In hexadecimal. */
  readonly checksum: string;
}

/** What was committed from one reading to the next. */
export interface WalPart {
  /** Everything that was acknowledged before is in this part, or an earlier one. */
  readonly at: Date;
  /** Frames of the WAL as they lie in it; the last one commits. */
  readonly frames: Buffer;
  /** Of the last one. */
  readonly position: WalPosition;
}

/** What distinguishes a WAL from those before and after it. */
export class WalHeader {
  private readonly buffer: Buffer;

  /** @param bytes all zero of a WAL that has none yet */
  constructor(bytes: Uint8Array) {
    this.buffer = Buffer.from(bytes);
  }

  get pageSize(): number {
    return this.buffer.readUInt32BE(8);
  }

  get bytes(): Uint8Array {
    return this.buffer;
  }

  equals(other: WalHeader): boolean {
    return this.buffer.equals(other.buffer);
  }

  /** Whether it is the other one, or the next: the first salt counts how often a WAL was begun anew. */
  follows(other: WalHeader): boolean {
    const next = (other.buffer.readUInt32BE(16) + 1) % 2 ** 32;
    return this.equals(other) || this.buffer.readUInt32BE(16) === next;
  }
}

/**
 * Writes the pages of frames to a database file, of which nobody has a connection. It is consistent after the last frame of a part.
 *
 * @throws {BackupError} if they are no frames of its page size
 */
export async function applyFrames(path: string, frames: Buffer): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const header = Buffer.alloc(18);
    await file.read(header, 0, 18, 0);
    const size = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
    if (frames.length % (FRAME_HEADER + size) !== 0) throw new BackupError('the WAL is of another page size');
    let pages = 0;
    for (let at = 0; at < frames.length; at += FRAME_HEADER + size) {
      const page = frames.subarray(at + FRAME_HEADER, at + FRAME_HEADER + size);
      await file.write(page, 0, size, (frames.readUInt32BE(at) - 1) * size);
      pages = frames.readUInt32BE(at + 4);
    }
    if (pages === 0) throw new BackupError('the WAL ends within a transaction');
    await file.truncate(pages * size);
    await file.sync();
  } finally {
    await file.close();
  }
}
