import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { addProbe } from './probe.ts';
import { endProcesses, run } from './processes.ts';
import { copyWorkspace, type WorkspaceCopy } from './workspace-copy.ts';

/** Every builder that the workspace supports, the default one first. */
const builders = ['webpack', 'tsc', 'swc'] as const;

/** The output of one builder for a copy of the workspace. */
export interface Build {
  readonly builder: (typeof builders)[number];
  /** The copy; `api`, `admin` and the probe are built in its `dist`. */
  readonly workspace: string;
  /** What it printed if it failed. */
  readonly failure: string | undefined;
  /** Everything in `dist/apps` after a build without a project name. */
  readonly unnamed: readonly string[];
}

/** What `npm run pack api -- --single` did in a copy of the workspace. */
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

/** Vitest's `globalSetup`: builds the applications once by each builder, and packs one, for every file that runs them. */
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

/** @returns what it printed if it failed: a failed build is a failed test, and does not end the whole run */
async function nestBuild(builder: string, cwd: string, ...projects: string[]): Promise<string | undefined> {
  const nest = 'node_modules/@nestjs/cli/bin/nest.js';
  const { code, output } = await run(process.execPath, [nest, 'build', ...projects, '-b', builder], { cwd });
  return code === 0 ? undefined : output;
}
