import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { packCli } from '../../tools/pack/cli/pack.mts';
import { packCreate } from '../../tools/pack/create/pack.mts';
import { packService } from '../../tools/pack/service/pack.mts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder with this release's tarballs and the command that creates workspaces. */
    packages: string;
  }
}

/** Packs the packages once for every file that creates a workspace. It is Vitest's `globalSetup`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'sluice-packages-')));
  await packService(join(folder, 'service'));
  await packCli(join(folder, 'cli'));
  await packCreate(join(folder, 'create'));
  project.provide('packages', folder);
  return () => rm(folder, { recursive: true, force: true });
}
