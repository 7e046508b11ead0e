import { writeFile } from 'node:fs/promises';

/**
 * Writes a file that only its owner reads, and returns when it is on the disk. In a single executable, a `createWriteStream`
 * file lacks `writev` (Node 26.10), and fails with an uncaught TypeError as soon as two parts are waiting.
 *
 * @param flag `wx` fails if there is such a file
 */
export async function writeSynced(
  path: string,
  content: AsyncIterable<Buffer>,
  flag: 'w' | 'wx' = 'w',
): Promise<void> {
  await writeFile(path, content, { flag, mode: 0o600, flush: true });
}
