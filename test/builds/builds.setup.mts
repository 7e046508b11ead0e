import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { addProbe } from './probe.ts';
import { endProcesses, run } from './processes.ts';
import { copyWorkspace, type WorkspaceCopy } from './workspace-copy.ts';

/** The builders that the workspace supports. The default builder comes first. */
const builders = ['webpack', 'tsc', 'swc'] as const;

/** The output of a builder for a workspace copy. */
export interface Build {
  readonly builder: (typeof builders)[number];
  /** The copy. Its `dist` contains `api`, `admin` and the probe. */
  readonly workspace: string;
  /** The output of a failed build. */
  readonly failure: string | undefined;
  /** The files in `dist/apps` after a build without a project name. */
  readonly unnamed: readonly string[];
}

/** The result of `npm run pack api -- --single` in a workspace copy. */
export interface Packing {
  readonly workspace: string;
  readonly code: number;
  readonly output: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    builds: readonly Build[];
    packing: Packing;
  }
}

/**
 * Builds the applications once with each builder and packs an application, for every file that runs them. It is Vitest's
 * `globalSetup`.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const copies: WorkspaceCopy[] = [];
  const teardown = async () => {
    await endProcesses();
    await Promise.all(copies.map((copy) => copy.remove()));
  };
  const built = builders.map(async (builder) => {
    const copy = await copyWorkspace();
    copies.push(copy);
    return buildAll(builder, copy.path);
  });
  project.provide('builds', await Promise.all(built));
  const copy = await copyWorkspace();
  copies.push(copy);
  project.provide('packing', await pack(copy.path));
  return teardown;
}

async function pack(workspace: string): Promise<Packing> {
  const { code, output } = await run('npm', ['run', '--silent', 'pack', 'api', '--', '--single'], {
    cwd: workspace,
  });
  return { workspace, code, output };
}

async function buildAll(builder: Build['builder'], workspace: string): Promise<Build> {
  await addProbe(workspace);
  const first = await nestBuild(builder, workspace);
  const unnamed = await readdir(join(workspace, 'dist/apps')).catch(() => []);
  const others = await nestBuild(builder, workspace, 'admin', 'probe');
  return { builder, workspace, unnamed, failure: first ?? others };
}

/** Runs `nest build` and returns the output if it failed, so that a failed build is a failed test. */
async function nestBuild(builder: string, cwd: string, ...projects: string[]): Promise<string | undefined> {
  const nest = 'node_modules/@nestjs/cli/bin/nest.js';
  const { code, output } = await run(process.execPath, [nest, 'build', ...projects, '-b', builder], { cwd });
  return code === 0 ? undefined : output;
}
