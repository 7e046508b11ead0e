import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gt, lte } from 'semver';
import { npm, run, tarball } from '../../scripts/npm.cjs';
import { type Codemod, codemods } from './codemods.mts';
import { mergeMembers, mergeText } from './merge.mts';
import { type Release, storeLines } from './release.mts';

/** A workspace, and the releases between which it moves. The installed release calls the newer release with it. */
export interface Upgrade {
  readonly root: string;
  readonly committedFiles: readonly string[];
  readonly from: Release;
  readonly to: Release;
  readonly packages?: string | undefined;
}

/** Moves a workspace to a newer release, prints every change, and sets the exit code 1 if there are conflicts. */
export function upgrade(wanted: Upgrade, isDryRun: boolean): void {
  const { files, lines } = planOf(wanted);
  console.log(`${wanted.from.version} → ${wanted.to.version}${isDryRun ? ' (dry run)' : ''}`);
  if (!isDryRun) write(wanted.root, files);
  console.log(lines.join('\n'));
  const hasConflicts = [...files.values()].some((text) => /^<{7} ours$/m.test(text ?? ''));
  if (hasConflicts) process.exitCode = 1;
  if (isDryRun) return;
  console.log(
    `\nNow: ${hasConflicts ? 'resolve the conflicts, ' : ''}npx sluice generate, npm test, commit.`,
  );
  console.log('Back: git stash --include-untracked, or after the commit git revert; then npm install.');
}

/** Returns the texts that an upgrade writes, by path, and the printed lines. A file to delete has the text `undefined`. */
export function planOf(
  { root, committedFiles, from, to, packages }: Upgrade,
  all: readonly Codemod[] = codemods,
) {
  const files = new Map<string, string | undefined>();
  const lines: string[] = [];
  const sayOf = (path: string) => (line: string) => void lines.push(`${path}: ${line}`);
  const present = JSON.parse(read(root, 'package.json') ?? '{}');
  const placeOf = (name: string) => (packages ? tarball(packages, name, to.version) : to.version);
  const [base, ours, theirs] = [from.manifest, present, to.manifest].map((version) =>
    JSON.parse(
      JSON.stringify(version, (name, value) => (name.startsWith('@sluice/') ? placeOf(name) : value)),
    ),
  );
  const manifest = mergeMembers(base, ours, theirs, sayOf('package.json'));
  files.set('package.json', `${JSON.stringify(manifest, undefined, 2)}\n`);
  for (const path of Object.keys({ ...from.files, ...to.files })) {
    const [before, after] = [from, to].map((release) =>
      release.files[path]?.replaceAll('__NAME__', present.name),
    );
    files.set(path, mergeText([before, read(root, path), after], sayOf(path)));
  }
  for (const codemod of all.filter(({ release }) => gt(release, from.version) && lte(release, to.version)))
    for (const path of committedFiles.filter((file) => codemod.files.test(file))) {
      const text = files.get(path) ?? read(root, path) ?? '';
      files.set(path, codemod.apply(text, path));
      if (files.get(path) !== text) sayOf(path)(codemod.changes);
    }
  return { files, lines: [...lines, ...storeLines(from, to)] };
}

/** The packages come first: if they cannot be installed, git restores `package.json` and the lock file. */
function write(root: string, files: ReadonlyMap<string, string | undefined>): void {
  writeFileSync(join(root, 'package.json'), files.get('package.json') ?? '');
  try {
    npm(root, ['install', '--no-audit']);
  } catch (cause) {
    run('git', ['checkout', '--quiet', '--', '.'], root);
    throw new Error('npm install failed: nothing else is changed, and package.json is as it was.', { cause });
  }
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    if (text === undefined) rmSync(join(root, path), { force: true });
    else writeFileSync(join(root, path), text);
  }
}

function read(root: string, path: string): string | undefined {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined;
}
