import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { writeWorkspace } from '../create/workspace.mts';

const root = join(import.meta.dirname, '../../..');
const run = promisify(execFile);

/**
 * Writes the command that upgrades a workspace, and what it compares: `release/` has what this release writes into a workspace, and its
 * migrations. The command is one file, since it also runs from a package that is unpacked only, and on the Node that runs npm:
 * that of the dependencies is replaced meanwhile.
 */
export async function packUpgrade(folder: string): Promise<void> {
  const release = join(folder, 'release');
  await mkdir(release);
  await writeWorkspace(release);
  const script = join(import.meta.dirname, 'released-migrations.mts');
  const { stdout } = await run(process.execPath, [script], { cwd: root });
  await writeFile(join(release, 'migrations.json'), stdout);
  const { metafile } = await build({
    entryPoints: [join(root, 'tools/upgrade/command.mts')],
    outfile: join(folder, 'upgrade.mjs'),
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node18',
    // jsonc-parser as CommonJS is wrapped so that no bundler reads it.
    mainFields: ['module', 'main'],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    legalComments: 'none',
    metafile: true,
  });
  await writeFile(join(folder, 'upgrade.licenses.txt'), await licensesOf(Object.keys(metafile.inputs)));
}

/** The licenses of the libraries in the file, which ask to be with their code. */
async function licensesOf(inputs: readonly string[]): Promise<string> {
  const folders = inputs.flatMap((path) => /.*node_modules\/[^/]+/.exec(path)?.[0] ?? []);
  const texts = [...new Set(folders)].map(async (path) => {
    const file = (await readdir(join(root, path))).find((name) => name.startsWith('LICENSE'));
    return `${basename(path)}\n\n${await readFile(join(root, path, file ?? 'LICENSE'), 'utf8')}`;
  });
  return (await Promise.all(texts)).join('\n');
}
