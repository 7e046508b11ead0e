import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/**
 * Returns the library licenses in a bundle, because the licenses must accompany the code.
 *
 * @param modules the module paths
 */
export async function licensesOf(modules: readonly string[]): Promise<string> {
  const folders = modules.flatMap((path) => /node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  const texts = [...new Set(folders)].map(async (path) => {
    const file = (await readdir(join(root, path))).find((name) => name.startsWith('LICENSE'));
    return `${basename(path)}\n\n${await readFile(join(root, path, file ?? 'LICENSE'), 'utf8')}`;
  });
  return (await Promise.all(texts)).join('\n');
}
