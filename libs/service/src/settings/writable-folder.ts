import { constants, existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { SettingsError } from './errors';

/**
 * Checks that files can be written in a folder. A missing folder is created with its first file, in the closest folder that exists.
 *
 * @param name the setting that names the folder
 * @throws SettingsError with the remedy
 */
export async function refuseUnwritable(name: string, folder: string): Promise<void> {
  let existing = resolve(folder);
  while (!existsSync(existing)) existing = dirname(existing);
  try {
    // A slash at the end, so that a file is an error.
    await access(join(existing, '/'), constants.W_OK | constants.X_OK);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    const problem = `is ${folder}, and ${existing} cannot be written (${code}): mount it, correct its owner or mode, or name another folder.`;
    throw new SettingsError([{ name, problem }]);
  }
}
