import { cp, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const original = join(__dirname, '../..');
const left = new Set(['node_modules', 'dist', 'data', 'coverage', '.git']);

/** A copy of the workspace that may be changed and built. */
export interface WorkspaceCopy {
  readonly path: string;
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
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}
