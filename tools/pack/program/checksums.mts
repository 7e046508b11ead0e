import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Writes `SHA256SUMS`, which `sha256sum -c` reads. Returns the number of files and their size in bytes. */
export function writeChecksums(folder: string): { files: number; bytes: number } {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();
  let bytes = 0;
  const lines = paths.map((path) => {
    const content = readFileSync(join(folder, path));
    bytes += content.length;
    return `${createHash('sha256').update(content).digest('hex')}  ${path}\n`;
  });
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''));
  return { files: paths.length, bytes };
}
