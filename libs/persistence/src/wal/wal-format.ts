import { open } from 'node:fs/promises';
import { BackupError } from '../errors';

/** The size in bytes of a WAL header and a frame header. @see https://www.sqlite.org/fileformat2.html#the_write_ahead_log */
export const [WAL_HEADER, FRAME_HEADER] = [32, 24];

/** A WAL frame. The checksum covers all frames up to it and so distinguishes it from frames in every other WAL. */
export interface WalPosition {
  readonly frame: number;
  /** The checksum in hexadecimal. */
  readonly checksum: string;
}

/** The frames committed between two reads. */
export interface WalPart {
  /** The read time. Every commit acknowledged before it is in this part or an earlier part. */
  readonly at: Date;
  /** The frames as they lie in the WAL. The last frame commits. */
  readonly frames: Buffer;
  /** The last frame's position. */
  readonly position: WalPosition;
}

/** The WAL header, which distinguishes a WAL from its predecessor and its successor. */
export class WalHeader {
  private readonly buffer: Buffer;

  /** @param bytes all zero if the WAL has no header yet */
  constructor(bytes: Uint8Array) {
    this.buffer = Buffer.from(bytes);
  }

  get pageSize(): number {
    return this.buffer.readUInt32BE(8);
  }

  get bytes(): Uint8Array {
    return this.buffer;
  }

  equals(header: WalHeader): boolean {
    return this.buffer.equals(header.buffer);
  }

  /** Returns whether the headers are equal, or this is the next WAL. The first salt counts a WAL's restarts. */
  follows(predecessor: WalHeader): boolean {
    const next = (predecessor.buffer.readUInt32BE(16) + 1) % 2 ** 32;
    return this.equals(predecessor) || this.buffer.readUInt32BE(16) === next;
  }
}

/**
 * Writes the pages of frames to a database file without open connections. The file is consistent after the last frame in a part.
 *
 * @throws {BackupError} if the frames have a different page size, or end within a transaction
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
