import { readFile, rename, writeFile } from 'node:fs/promises';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';
import { type WalPart, type WalPosition } from './wal-format';

/** What was read of WALs that were begun anew, and is nowhere else. */
export interface UnsentParts {
  /** Of the last of them. */
  readonly header: Uint8Array;
  /** How many of its frames were read. */
  readonly frame: number;
  /** Of what was sent before. */
  readonly from: WalPosition;
  readonly parts: readonly WalPart[];
}

const CRC = 4;

/** Replaces the file; it is not synced, since what a power failure leaves of it is detected. */
export async function keepUnsent(path: string, unsent: UnsentParts): Promise<void> {
  const content = serialize(unsent);
  const crc = Buffer.alloc(CRC);
  crc.writeUInt32BE(crc32(content));
  await writeFile(`${path}.writing`, [crc, content], { mode: 0o600 });
  await rename(`${path}.writing`, path);
}

/** @returns `undefined` if there is none, or it is not complete */
export async function readUnsent(path: string): Promise<UnsentParts | undefined> {
  const bytes = await readFile(path).catch(() => undefined);
  if (!bytes || bytes.length <= CRC) return undefined;
  const content = bytes.subarray(CRC);
  return crc32(content) === bytes.readUInt32BE(0) ? deserialize(content) : undefined;
}
