import { cp, mkdtemp, readdir, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const original = join(__dirname, '../..');
const left = new Set(['node_modules', 'dist', 'data', 'coverage', '.git']);

/** A copy of the workspace that may be changed and built. */
export interface WorkspaceCopy {
  readonly path: string;
  /** Paths of the files that the original does not have, or has with another content. */
  changed(): Promise<string[]>;
  remove(): Promise<void>;
}

/** Copies the sources of the workspace into a temporary folder; its packages are linked. */
export async function copyWorkspace(): Promise<WorkspaceCopy> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'sluice-workspace-')));
  await cp(original, path, {
    recursive: true,
    filter: (source) => !left.has(source.slice(original.length + 1)),
  });
  await symlink(join(original, 'node_modules'), join(path, 'node_modules'), 'dir');
  return {
    path,
    changed: () => changedFiles(path),
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

function contentOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}
