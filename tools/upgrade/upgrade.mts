import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { npm, run, tarball } from '../../scripts/npm.cjs';
import { type Plan, planOf } from './plan.mts';
import { readRelease } from './release.mts';
import { releaseBefore, type Step, steps } from './steps.mts';

/** Two releases, of which the newer one's program runs. Both releases have this form of it, so that one may call the other. */
export interface Upgrade {
  /** The folder of the workspace. */
  readonly root: string;
  /** Its committed files. */
  readonly sources: readonly string[];
  /** The folders of `@sluice/cli`. */
  readonly from: string;
  readonly to: string;
  /** A folder of tarballs in place of the registry. */
  readonly packages: string | undefined;
  readonly isDryRun: boolean;
}

/** Moves a workspace from one release to another, and says every change. */
export function upgrade(
  { root, sources, packages, isDryRun, ...folders }: Upgrade,
  all: readonly Step[] = steps,
): void {
  const { name }: { name: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [from, to] = [readRelease(folders.from, name), readRelease(folders.to, name)];
  const placeOf = (one: string) => (packages === undefined ? to.version : tarball(packages, one, to.version));
  const plan = planOf({ root, sources, from, to, placeOf }, all);
  console.log(`${from.version} → ${to.version}${isDryRun ? ', a dry run: nothing is changed' : ''}`);
  if (!isDryRun) apply(root, plan);
  for (const line of plan.lines) console.log(line);
  if (isDryRun) return;
  console.log(`\nNow: npx sluice generate, npm test, and commit it.`);
  if (releaseBefore(all, to.version) === from.version)
    console.log(`Back: npx sluice upgrade ${from.version}, or revert that commit and npm install.`);
}

/** The packages first: if they cannot be installed, the workspace is as it was. */
function apply(root: string, { writes }: Plan): void {
  const manifests = ['package.json', 'package-lock.json'].map((path) => join(root, path));
  const before = manifests.map((file) => (existsSync(file) ? readFileSync(file) : undefined));
  const manifest = writes.get('package.json');
  if (manifest !== undefined) {
    writeFileSync(join(root, 'package.json'), manifest);
    try {
      npm(root, ['install', '--no-audit']);
    } catch (error) {
      manifests.forEach((file, at) => {
        const text = before[at];
        if (text !== undefined) writeFileSync(file, text);
      });
      throw new Error('npm install failed: nothing else is changed, and package.json is as it was.', {
        cause: error,
      });
    }
  }
  for (const [path, text] of writes) write(join(root, path), text);
  format(
    root,
    [...writes.keys()].filter((path) => path.endsWith('.json')),
  );
}

/** Members that are inserted are formatted with their neighbours, and not as prettier does; a team may do without it. */
function format(root: string, paths: readonly string[]): void {
  const prettier = join(root, 'node_modules/prettier/bin/prettier.cjs');
  if (paths.length > 0 && existsSync(prettier))
    run(process.execPath, [prettier, '--write', '--log-level=warn', ...paths], root);
}

function write(file: string, text: string | undefined): void {
  if (text === undefined) return rmSync(file);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
