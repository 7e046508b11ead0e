import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../builds/processes';

/** The folder in which packages are installed once for all runs. */
export const cache = join(__dirname, '../../node_modules/.cache/test-package');

/** Returns a folder with these package versions, which are installed once. */
export async function installed(wanted: readonly string[]): Promise<string> {
  const folder = join(cache, createHash('sha256').update(wanted.join()).digest('hex').slice(0, 12));
  if (existsSync(join(folder, 'installed'))) return folder;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  await install(folder, wanted);
  await writeFile(join(folder, 'installed'), wanted.join('\n'));
  return folder;
}

/** Adds packages to a folder. */
export async function install(folder: string, wanted: readonly string[]): Promise<void> {
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--force'];
  const surroundings = { cwd: folder, env: ownEnvironment() };
  const { code, output } = await run('npm', ['install', ...wanted, ...options], surroundings);
  if (code !== 0) throw new Error(output);
}

/** Returns our whole environment, because npm and Yarn reach the registry through its variables. */
export function ownEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
