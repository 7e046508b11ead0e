import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { Release } from '../../upgrade/release.mts';
import { manifest, template } from '../create/workspace.mts';
import { licensesOf } from '../modules/licenses.mts';
import { version } from '../modules/versions.mts';

const root = join(import.meta.dirname, '../../..');
const run = promisify(execFile);

/**
 * Writes the command that upgrades a workspace, and the data that it merges. `release.json` contains the files that this release
 * writes into a workspace, and its migrations. The command is a single file, because it also runs from an unpacked package
 * without dependencies, and on the Node that runs npm. The upgrade replaces the Node in the dependencies meanwhile.
 */
export async function packUpgrade(folder: string): Promise<void> {
  const release = { version, files: await filesOf(template), manifest, migrations: await migrations() };
  await writeFile(join(folder, 'release.json'), JSON.stringify(release satisfies Release));
  const { metafile } = await build({
    entryPoints: [join(root, 'tools/upgrade/command.mts')],
    outfile: join(folder, 'upgrade.mjs'),
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node18',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    legalComments: 'none',
    metafile: true,
  });
  await writeFile(join(folder, 'upgrade.licenses.txt'), await licensesOf(Object.keys(metafile.inputs)));
}

/** A created workspace's texts, by path. Its changelog is its team's. */
async function filesOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.flatMap((entry) => (entry.isFile() ? join(entry.parentPath, entry.name) : []));
  const files = paths.map(async (path) => [targetOf(relative(folder, path)), await readFile(path, 'utf8')]);
  const { 'CHANGELOG.md': _, ...ours } = Object.fromEntries(await Promise.all(files));
  return ours;
}

/** Restores the leading dot in a template path, because npm leaves dotfiles out of packages. */
function targetOf(path: string): string {
  return path.replaceAll(sep, '/').replaceAll(/(^|\/)_/g, '$1.');
}

/** Reads the migrations in a separate program, because the program loads the lib sources. */
async function migrations(): Promise<Release['migrations']> {
  const script = join(import.meta.dirname, 'released-migrations.mts');
  const { stdout } = await run(process.execPath, [script], { cwd: root });
  return JSON.parse(stdout);
}
