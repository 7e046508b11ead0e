import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gt, maxSatisfying } from 'semver';
import { npm, run, tarball } from '../../scripts/npm.cjs';
import type { Release } from './release.mts';
import { upgrade } from './upgrade.mts';

export { upgrade };

const help = `sluice upgrade [VERSION] [--packages FOLDER] [--dry-run]

Moves a workspace to a newer release: the versions in package.json and what is installed, the files that create-sluice wrote, and the
sources, where a release has renamed something. Git merges your edits; the command says where they conflict.

  VERSION             default the newest
  --packages FOLDER   takes the packages of Sluice from their tarballs in a folder, instead of the registry
  --dry-run           shows what would be changed, and changes nothing`;

const options = {
  packages: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** Runs `npx sluice upgrade` in the workspace's folder. */
export async function command(args: readonly string[]): Promise<void> {
  const work = resolve('node_modules/.cache/sluice-upgrade');
  try {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    if (values.help || positionals.length > 1) return console.log(help);
    const packages = values.packages === undefined ? undefined : resolve(values.packages);
    await move(unpack(positionals[0], packages, work), packages, values['dry-run']);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function move(newer: string, packages: string | undefined, isDryRun: boolean): Promise<void> {
  const changed = run('git', ['status', '--porcelain', '--untracked-files=no', '--', '.'], '.', 'pipe');
  const committedFiles = run('git', ['ls-files', '-z'], '.', 'pipe').split('\0');
  if (!isDryRun && (changed !== '' || !committedFiles.includes('package.json')))
    throw new Error(`Commit or stash what is changed: the upgrade is a commit of its own.\n${changed}`);
  const [from, to] = ['node_modules/@sluice/cli', newer].map((folder): Release =>
    JSON.parse(readFileSync(join(folder, 'release.json'), 'utf8')),
  );
  if (to.version === from.version) return console.log(`This workspace is at ${to.version} already.`);
  if (gt(from.version, to.version))
    throw new Error(`This workspace is at ${from.version}. To go back: git revert, and npm install.`);
  const code: { upgrade: typeof upgrade } = await import(pathToFileURL(join(newer, 'upgrade.mjs')).href);
  code.upgrade({ root: process.cwd(), committedFiles, from, to, packages }, isDryRun);
}

/** Unpacks `@sluice/cli` from a release without its dependencies, and returns the folder that contains its `package.json`. */
function unpack(version: string | undefined, packages: string | undefined, work: string): string {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const file = packages && tarball(packages, '@sluice/cli', version ?? newestIn(packages));
  npm(work, ['pack', '--silent', file ?? `@sluice/cli@${version ?? 'latest'}`], 'ignore');
  run('tar', ['-xzf', readdirSync(work)[0] ?? ''], work);
  return join(work, 'package');
}

/** Returns the newest version; a pre-release, such as 1.0.0-rc.1, only if there is no other version. */
function newestIn(folder: string): string {
  const versions = readdirSync(folder).flatMap((name) => /^sluice-cli-(.+)\.tgz$/.exec(name)?.[1] ?? []);
  const newest = maxSatisfying(versions, '*') ?? maxSatisfying(versions, '*', { includePrerelease: true });
  if (newest === null) throw new Error(`No sluice-cli-VERSION.tgz is in ${folder}.`);
  return newest;
}
