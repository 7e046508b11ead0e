import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gt, valid } from 'semver';
import { unpack } from './unpack.mts';
import { upgrade } from './upgrade.mts';

export { upgrade };

const help = `sluice upgrade [VERSION] [--packages FOLDER] [--dry-run]

Moves a workspace to another release: the versions in package.json and what is installed, the files that create-sluice wrote and
nobody edited, and the sources, where a release has renamed something. What it does not change, it shows.

  VERSION             default the newest; one before the present one only if that is the release before
  --packages FOLDER   takes the packages of Sluice from their tarballs in a folder, instead of the registry
  --dry-run           shows what would be changed, and changes nothing`;

const options = {
  packages: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** `npx sluice upgrade`, in the folder of the workspace. */
export async function command(args: readonly string[]): Promise<void> {
  try {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    if (values.help) return console.log(help);
    if (positionals.length > 1) throw new Error(help);
    await move(positionals[0], values.packages, values['dry-run']);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

async function move(
  version: string | undefined,
  packages: string | undefined,
  isDryRun: boolean,
): Promise<void> {
  const root = process.cwd();
  const installed = join(root, 'node_modules/@sluice/cli');
  const present = versionOf(installed);
  assertInstalled(root, present);
  if (!isDryRun) assertCommitted(root);
  const place = packages === undefined ? undefined : resolve(packages);
  const work = join(root, 'node_modules/.cache/sluice-upgrade');
  try {
    const to = unpack({ version, packages: place }, work);
    if (versionOf(to) === present) return console.log(`This workspace is at ${present} already.`);
    // The newer release knows what it has changed, in both directions.
    const newer = gt(versionOf(to), present) ? to : installed;
    const { upgrade: run }: { upgrade: typeof upgrade } = await import(
      pathToFileURL(join(newer, 'upgrade.mjs')).href
    );
    run({ root, sources: committed(root), from: installed, to, packages: place, isDryRun });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function versionOf(folder: string): string {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) throw new Error('@sluice/cli is not installed: run npm install.');
  return JSON.parse(readFileSync(file, 'utf8')).version;
}

/** The files of the installed release are what those of the workspace are compared with. */
function assertInstalled(root: string, present: string): void {
  const { devDependencies, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const wanted: string = { ...dependencies, ...devDependencies }['@sluice/cli'] ?? present;
  if (valid(wanted) !== null && wanted !== present)
    throw new Error(
      `package.json names @sluice/cli ${wanted}, and ${present} is installed: run npm install.`,
    );
}

function assertCommitted(root: string): void {
  const changed = git(root, 'status', '--porcelain', '--untracked-files=no', '--', '.').trimEnd();
  if (changed !== '')
    throw new Error(
      `Commit or stash what is changed, so that the upgrade is a commit of its own:\n${changed}`,
    );
}

function committed(root: string): string[] {
  return git(root, 'ls-files', '-z').split('\0').slice(0, -1);
}

function git(cwd: string, ...args: readonly string[]): string {
  try {
    return execFileSync('git', args, {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 28,
    });
  } catch (error) {
    throw new Error(
      'The workspace is no git repository: commit it first, so that an upgrade can be read and reverted.',
      {
        cause: error,
      },
    );
  }
}
