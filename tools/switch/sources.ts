import { execFileSync, type StdioOptions } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { replacedNames } from './replaced-names';

/** A source of the program. */
export interface SourceFile {
  /** The path relative to the program folder, with slashes. */
  readonly path: string;
  readonly text: string;
}

const sources = /\.[cm]?[jt]sx?$/;
const declarations = /\.d\.[cm]?ts$/;
const skipped = new Set(['node_modules', 'dist', 'build', 'out', 'coverage']);

/** Reads the sources that git has or would add. Otherwise, reads all files except dependencies and build output. */
export function readSources(folder: string): SourceFile[] {
  const paths = listedByGit(folder) ?? listedByHand(folder);
  return paths
    .filter((path) => sources.test(path) && !declarations.test(path) && !/(?:^|\/)node_modules\//.test(path))
    .filter((path) => existsSync(join(folder, path))) // git lists files that were deleted, too
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));
}

/** Whether a source names class-validator, class-transformer or Nest. */
export function namesReplaced({ text }: SourceFile): boolean {
  return Object.keys(replacedNames).some((name) => text.includes(name));
}

/** Returns the reason that prevents git from undoing a change; `undefined` if git can undo it. */
export function whyNotUndoable(folder: string): string | undefined {
  const others = INSTALLED.map((file) => `:(exclude)${file}`);
  const status = git(folder, ['status', '--porcelain', '--', '.', ...others]);
  if (status === undefined) return 'the folder is in no git repository, so that the change cannot be undone';
  return status === '' ? undefined : 'there are changes that are not committed';
}

/** The files that installing the package changes, but this command leaves alone. */
const INSTALLED = [
  'package.json',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  '.pnp.cjs',
  'pnpm-lock.yaml',
  'bun.lock',
  'bun.lockb',
];

function listedByGit(folder: string): string[] | undefined {
  const listed = git(folder, ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  return listed?.split('\0').filter(Boolean);
}

/** Runs git and returns the output; `undefined` without git, and outside of a repository. */
function git(cwd: string, args: readonly string[]): string | undefined {
  try {
    const stdio: StdioOptions = ['ignore', 'pipe', 'ignore'];
    return execFileSync('git', args, { cwd, encoding: 'utf8', stdio, maxBuffer: 2 ** 28 }).trim();
  } catch {
    return undefined;
  }
}

function listedByHand(folder: string, from = folder): string[] {
  return readdirSync(from, { withFileTypes: true }).flatMap((entry) => {
    const path = join(from, entry.name);
    if (entry.isDirectory())
      return skipped.has(entry.name) || entry.name.startsWith('.') ? [] : listedByHand(folder, path);
    return entry.isFile() ? relative(folder, path).replaceAll(sep, '/') : [];
  });
}
