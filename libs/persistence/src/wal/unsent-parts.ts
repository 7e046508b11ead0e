import { readFile, rename, writeFile } from 'node:fs/promises';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';
import { type WalPart, type WalPosition } from './wal-format';

/** The only copy of the unsent parts from restarted WALs. */
export interface UnsentParts {
  /** The last WAL's header. */
  readonly header: Uint8Array;
  /** The number of frames read from the last WAL. */
  readonly frame: number;
  /** The position of the last part sent before. */
  readonly from: WalPosition;
  readonly parts: readonly WalPart[];
}

const CRC = 4;

/** Replaces the file. It is not synced, since damage by a power failure is detected. */
export async function keepUnsent(path: string, unsent: UnsentParts): Promise<void> {
  const content = serialize(unsent);
  const crc = Buffer.alloc(CRC);
  crc.writeUInt32BE(crc32(content));
  await writeFile(`${path}.writing`, [crc, content], { mode: 0o600 });
  await rename(`${path}.writing`, path);
}

/** @returns `undefined` if the file is missing or incomplete */
export async function readUnsent(path: string): Promise<UnsentParts | undefined> {
  const bytes = await readFile(path).catch(() => undefined);
  if (!bytes || bytes.length <= CRC) return undefined;
  const content = bytes.subarray(CRC);
  return crc32(content) === bytes.readUInt32BE(0) ? deserialize(content) : undefined;
}
