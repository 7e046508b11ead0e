import { posix } from 'node:path';

/**
 * Resolves an import to a file of the workspace.
 *
 * @param from the importing file, relative to the workspace
 * @param specifier the specifier as written
 * @returns the file without extension, or `undefined` for a package
 */
export function resolveImport(from: string, specifier: string): string | undefined {
  const [, library, rest] = /^@app\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  if (library !== undefined) return `libs/${library}/${insideOf(rest)}`;
  if (!specifier.startsWith('.')) return undefined;
  const path = posix.join(posix.dirname(from), specifier);
  return path.replace(/\.[cm]?[jt]s$/, '');
}

function insideOf(rest: string | undefined): string {
  if (rest === undefined) return 'src/index';
  return rest === 'testing' ? 'testing/index' : `src/${rest}`;
}
