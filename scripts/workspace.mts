import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the root manifest. */
export const root = join(import.meta.dirname, '..');

/** What we read of one project of `nest-cli.json`. */
export interface Project {
  readonly type: 'application' | 'library';
  /** Relative to the workspace: `apps/api`. */
  readonly root: string;
}

/** What we read of `nest-cli.json`. */
export interface Workspace {
  /** The root of the default project. */
  readonly root: string;
  /** By name. */
  readonly projects: Readonly<Record<string, Project>>;
}

/** Reads the projects that the Nest CLI knows. */
export function readWorkspace(): Workspace {
  const workspace: Workspace = JSON.parse(readFileSync(join(root, 'nest-cli.json'), 'utf8'));
  return workspace;
}

/** Every application by name: the default one first, the others by the alphabet. */
export function listApplications(): readonly string[] {
  const { projects, root: first } = readWorkspace();
  const names = Object.keys(projects).filter((name) => projects[name]?.type === 'application');
  const order = (name: string) => `${projects[name]?.root === first ? 0 : 1} ${name}`;
  return names.toSorted((a, b) => order(a).localeCompare(order(b)));
}

/**
 * Runs a tool to its end, in the workspace, with our own output.
 *
 * @param entry its file below `node_modules`
 * @throws Error that names the command, when it does not end with 0
 */
export function runTool(entry: string, args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', entry), ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error(`${[entry, ...args].join(' ')} failed`);
}

/** Writes every generated file as the sources are now, and names those that changed. */
export function generate(): void {
  const script = join(root, 'scripts/generate.mts');
  const { status } = spawnSync(process.execPath, ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', script], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error('npm run generate failed');
}

/** Runs the Nest CLI; `['build', 'api', '-b', 'swc']`, say. */
export function runNest(args: readonly string[]): void {
  runTool('@nestjs/cli/bin/nest.js', args);
}

/** Runs a script's work; what it throws is told in one line and ends the process with 1. */
export async function runScript(work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
