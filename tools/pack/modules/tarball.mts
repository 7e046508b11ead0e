import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Packs a folder by npm.
 *
 * @returns the tarball's path, beside the folder
 */
export async function tarballOf(folder: string): Promise<string> {
  const destination = join(folder, '..');
  const options = ['pack', '--json', '--pack-destination', destination];
  const { stdout } = await run('npm', options, { cwd: folder });
  const [packed]: [{ filename: string }] = JSON.parse(stdout);
  return join(destination, packed.filename);
}
