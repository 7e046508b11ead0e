import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildEngine } from './build.mts';
import { inRepository, manifest } from './manifest.mts';

const root = join(import.meta.dirname, '../../..');
const run = promisify(execFile);

/**
 * Builds the package and packs it.
 *
 * @param folder for the package, which is emptied
 * @returns the path of its tarball, beside the folder
 */
export async function packEngine(folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const work = await mkdtemp(join(tmpdir(), 'engine-types-'));
  try {
    await buildEngine(folder, work);
  } finally {
    await rm(work, { recursive: true });
  }
  const remote = await originOf();
  const complete = { ...manifest, ...(remote !== undefined && inRepository(remote)) };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(complete, null, 2)}\n`);
  for (const file of FILES) await cp(join(import.meta.dirname, file), join(folder, file));
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  return tarballOf(folder);
}

/** What is not bundled. */
const FILES = [
  'README.md',
  'CHANGELOG.md',
  'peers.cjs',
  'register.cjs',
  'register.d.cts',
  'command.cjs',
  'classes.cjs',
];

/** The URL of the remote `origin`; `undefined` in a clone without one. */
export async function originOf(): Promise<string | undefined> {
  try {
    return (await run('git', ['remote', 'get-url', 'origin'], { cwd: root })).stdout.trim();
  } catch {
    return undefined;
  }
}

async function tarballOf(folder: string): Promise<string> {
  const destination = join(folder, '..');
  const options = ['pack', '--json', '--pack-destination', destination];
  const { stdout } = await run('npm', options, { cwd: folder });
  const [packed]: [{ filename: string }] = JSON.parse(stdout);
  return join(destination, packed.filename);
}
