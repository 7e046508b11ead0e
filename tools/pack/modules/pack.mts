import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inRepository, originOf } from './repository.mts';
import { tarballOf } from './tarball.mts';

const root = join(import.meta.dirname, '../../..');

/** A package. */
export interface Package {
  /** The source folder, relative to the workspace; `undefined` for a package from a different workspace. */
  readonly directory: string | undefined;
  /** The files that are copied into the package under their names, relative to the workspace. */
  readonly files: readonly string[];
  /** Writes the generated files and returns the `package.json`. */
  readonly fill: (folder: string) => Promise<object>;
}

/**
 * Writes a package and packs it.
 *
 * @param folder the package folder, which is emptied
 * @returns the tarball's path, beside the folder
 */
export async function packFolder({ directory, files, fill }: Package, folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const manifest = await fill(folder);
  const remote = directory === undefined ? undefined : await originOf();
  const complete = { ...manifest, ...(remote !== undefined && inRepository(remote, directory ?? '')) };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(complete, null, 2)}\n`);
  for (const file of [...files, 'LICENSE'])
    await cp(join(root, file), join(folder, file.slice(file.lastIndexOf('/') + 1)));
  return tarballOf(folder);
}
