import { cp, mkdtemp, readdir, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diff } from 'node:util';

const original = join(__dirname, '../..');
const left = new Set(['node_modules', 'dist', 'data', 'coverage', '.git']);

/** A workspace copy that tests may change and build. */
export interface WorkspaceCopy {
  readonly path: string;
  /** Returns the paths of added and changed files, compared with the original. */
  changed(): Promise<string[]>;
  /** Remembers the current files. */
  mark(): Promise<void>;
  /** Returns how many lines in these folders were added or removed after {@link mark}. */
  linesSinceMark(folders: readonly string[]): Promise<number>;
  remove(): Promise<void>;
}

/** Copies the workspace sources into a temporary folder and links the packages. */
export async function copyWorkspace(): Promise<WorkspaceCopy> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'sluice-workspace-')));
  await cp(original, path, {
    recursive: true,
    filter: (source) => !left.has(source.slice(original.length + 1)),
  });
  await symlink(join(original, 'node_modules'), join(path, 'node_modules'), 'dir');
  let marked = new Map<string, string>();
  return {
    path,
    changed: () => changedFiles(path),
    mark: async () => void (marked = await textsOf(path)),
    linesSinceMark: async (folders) => {
      const isWithin = ([file]: [string, string]) => folders.some((folder) => file.startsWith(`${folder}/`));
      const [before, after] = [marked, await textsOf(path)].map((texts) => [...texts].filter(isWithin));
      return changedLines(new Map(before), new Map(after));
    },
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}

async function changedFiles(copy: string, folder = ''): Promise<string[]> {
  const entries = await readdir(join(copy, folder), { withFileTypes: true });
  const changed = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    if (left.has(path)) return [];
    if (entry.isDirectory()) return changedFiles(copy, path);
    const [ours, theirs] = await Promise.all([copy, original].map((root) => contentOf(join(root, path))));
    return ours === theirs ? [] : [path];
  });
  return (await Promise.all(changed)).flat();
}

/** Reads the texts of the files that {@link changedFiles} lists. */
async function textsOf(copy: string): Promise<Map<string, string>> {
  const paths = await changedFiles(copy);
  const texts = paths.map(async (path) => [path, (await contentOf(join(copy, path))) ?? ''] as const);
  return new Map(await Promise.all(texts));
}

function changedLines(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): number {
  const linesOf = (texts: ReadonlyMap<string, string>, path: string) => (texts.get(path) ?? '').split('\n');
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => before.get(path) !== after.get(path))
    .flatMap((path) => diff(linesOf(before, path), linesOf(after, path)))
    .filter(([kind]) => kind !== 0).length;
}

function contentOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}
