import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

/** A migration of a library, as in the package of a release. */
export interface ReleasedMigration {
  readonly name: string;
  /** The newest migration of the oldest program that runs after it; absent if every program does. */
  readonly runsSince?: string;
}

/** The `package.json` of a workspace, without its name. */
export interface Manifest {
  readonly dependencies: Readonly<Record<string, unknown>>;
  readonly devDependencies: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

/** What a release writes into a workspace, and what it does to the store. */
export interface Release {
  readonly version: string;
  /** Texts by path: what `create-sluice` writes and its team does not rewrite. */
  readonly files: ReadonlyMap<string, string>;
  readonly manifest: Manifest;
  /** Oldest first. */
  readonly migrations: readonly ReleasedMigration[];
}

/** Files whose later texts are the team's. */
const ofTheTeam = new Set(['CHANGELOG.md']);

/**
 * Reads a release from its package.
 *
 * @param folder of `@sluice/cli`, as it is installed or unpacked
 * @param name   of the workspace, which is in some files
 */
export function readRelease(folder: string, name: string): Release {
  const json = (path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8'));
  const template = join(folder, 'release/template');
  const files = new Map<string, string>();
  for (const path of filesBelow(template)) {
    // npm leaves files with a dot out of packages.
    const target = path.replaceAll(/(^|\/)_/g, '$1.');
    const text = readFileSync(join(template, path), 'utf8').replaceAll('__NAME__', name);
    if (!ofTheTeam.has(target)) files.set(target, text);
  }
  const { version }: { version: string } = json('package.json');
  return {
    version,
    files,
    manifest: json('release/workspace.json'),
    migrations: json('release/migrations.json'),
  };
}

function filesBelow(folder: string, within = ''): string[] {
  const entries = readdirSync(join(folder, within), { withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = join(within, entry.name).replaceAll(sep, '/');
    return entry.isDirectory() ? filesBelow(folder, path) : path;
  });
}
