import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './workspace.mts';

/** The names that each entry of the libs exports, by the entry's path without its ending, such as `libs/auth/src/index`. */
export type ExportLock = Readonly<Record<string, readonly string[]>>;

/** The lock file with the names that applications may import, relative to the workspace. */
export const exportLockFile = 'exports.lock.json';

/** The modules that packages export: the index of each lib, its further entries, and test helpers. */
const entries = ['libs/*/src/{index,nest,drop-in}.ts', 'libs/{contract,mail,service}/testing/index.ts'];

/** Reads the names that the libs export now. */
export function readExports(): ExportLock {
  const paths = globSync(entries, { cwd: root }).map((path) =>
    path.replaceAll('\\', '/').replace(/\.ts$/, ''),
  );
  return Object.fromEntries(paths.toSorted().map((path) => [path, namesIn(join(root, path))]));
}

/** Returns the locked names. The result is empty before the first lock. */
export function lockedExports(): ExportLock {
  const file = join(root, exportLockFile);
  if (!existsSync(file)) return {};
  const locked: ExportLock = JSON.parse(readFileSync(file, 'utf8'));
  return locked;
}

/** Returns the locked names and the new names. Locked names always stay. */
export function addToExportLock(locked: ExportLock, now: ExportLock): ExportLock {
  const paths = Object.keys({ ...locked, ...now }).toSorted();
  return Object.fromEntries(
    paths.map((path) => [path, [...new Set([...(locked[path] ?? []), ...(now[path] ?? [])])].toSorted()]),
  );
}

/** Lists the locked names that the libs no longer export. */
export function goneExports(locked: ExportLock, now: ExportLock): readonly string[] {
  return Object.entries(locked).flatMap(([path, names]) =>
    names.filter((name) => !now[path]?.includes(name)).map((name) => `${path}.ts no longer exports ${name}`),
  );
}

/**
 * Returns the names that a module exports, in order. An index lists them one by one. The client's wire classes are left out,
 * because contract.lock.json names the schemas.
 */
function namesIn(module: string): readonly string[] {
  const text = readFileSync(`${module}.ts`, 'utf8');
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) =>
    list.split(',').map((name) =>
      name
        .trim()
        .replace(/^type /, '')
        .replace(/^\w+ as /, ''),
    ),
  );
  const declared = [
    ...text.matchAll(
      /^export (?:declare )?(?:abstract )?(?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm,
    ),
  ].map(([, name = '']) => name);
  return [...new Set([...lists, ...declared])].filter((name) => name !== '').toSorted();
}
