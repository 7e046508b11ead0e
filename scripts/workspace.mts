import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';

/** The nearest folder at or above the working directory that has a `nest-cli.json`. */
export const root = findRoot(process.cwd());

/** Whether the workspace has the lib sources. Other workspaces have the libs as a package. */
export const hasLibs = existsSync(join(root, 'libs/service/src/index.ts'));

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'nest-cli.json'))) return folder;
  if (folder === dirname(folder))
    throw new Error(`${process.cwd()} is in no workspace: there is no nest-cli.json`);
  return findRoot(dirname(folder));
}

/** The parts of a `nest-cli.json` project that the scripts use. */
export interface Project {
  readonly type: 'application' | 'library';
  /** The project folder, relative to the workspace, such as `apps/api`. */
  readonly root: string;
}

/** The parts of `nest-cli.json` that the scripts use. */
export interface Workspace {
  /** The root of the default project. */
  readonly root: string;
  /** The projects by name. */
  readonly projects: Readonly<Record<string, Project>>;
}

/** The product's name, from the root manifest. */
export function readName(): string {
  const { name }: { name: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return name;
}

/** Reads the projects of the Nest CLI. */
export function readWorkspace(): Workspace {
  const workspace: Workspace = JSON.parse(readFileSync(join(root, 'nest-cli.json'), 'utf8'));
  return workspace;
}

/** Returns the names of all applications. The default application comes first and the remaining names are sorted. */
export function listApplications(): readonly string[] {
  const { projects, root: first } = readWorkspace();
  const names = Object.keys(projects).filter((name) => projects[name]?.type === 'application');
  const order = (name: string) => `${projects[name]?.root === first ? 0 : 1} ${name}`;
  return names.toSorted((a, b) => order(a).localeCompare(order(b)));
}

/**
 * Runs a tool in the workspace, with inherited output.
 *
 * @param entry the tool's file in `node_modules`
 * @throws Error with the command, if its exit code is not 0
 */
export function runTool(entry: string, args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', entry), ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error(`${[entry, ...args].join(' ')} failed`);
}

/** Writes every generated file and lists the files that changed. */
export function generate(): void {
  const script = join(import.meta.dirname, `generate${extname(import.meta.filename)}`);
  const { status } = spawnSync(process.execPath, ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', script], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error('npm run generate failed');
}

/** Runs the Nest CLI, for example with `['build', 'api', '-b', 'swc']`. */
export function runNest(args: readonly string[]): void {
  runTool('@nestjs/cli/bin/nest.js', args);
}

/** Runs a script. On an error it prints a single line and sets the exit code to 1. */
export async function runScript(work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
