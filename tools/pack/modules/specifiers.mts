import { dirname, posix } from 'node:path';
import ts from 'typescript';

/** The files in a compiled package, by the specifiers that the sources import. */
export interface Modules {
  /** Whether there is a file, relative to the package, without its ending. */
  has(path: string): boolean;
  /** Returns the specifier in a different package: `@app/auth` → `@sluice/service/auth`; `undefined` for an own file. */
  packageOf?(specifier: string): string | undefined;
}

/** A text with its imports. Each import names a file with its ending. */
export interface Linked {
  readonly text: string;
  /** The package files without their endings. */
  readonly files: readonly string[];
  /** The imported external packages: `kysely`, `file-type`. */
  readonly packages: readonly string[];
}

/**
 * Replaces specifiers that only a compiler resolves with specifiers that Node resolves. These are workspace aliases and imports
 * without an ending. Comments stay unchanged.
 *
 * @param path the path relative to the package, such as `libs/auth/src/index.js` or `libs/auth/src/index.d.ts`
 * @param ending the module ending
 */
export function link(path: string, text: string, modules: Modules, ending: '.js' | '.mjs'): Linked {
  const [files, packages] = [new Set<string>(), new Set<string>()];
  let linked = '';
  let done = 0;
  // A position points to the first quotation mark.
  for (const { fileName, pos } of ts.preProcessFile(text, true, true).importedFiles.toSorted(byPosition)) {
    const packageName = modules.packageOf?.(fileName);
    const file = packageName === undefined ? fileOf(path, fileName, modules) : undefined;
    const name = file === undefined ? (packageName ?? fileName) : relativeTo(path, file + ending);
    if (file !== undefined) files.add(file);
    else if (!name.startsWith('node:')) packages.add(name);
    linked += text.slice(done, pos + 1) + name;
    done = pos + 1 + fileName.length;
  }
  return { text: linked + text.slice(done), files: [...files], packages: [...packages] };
}

function byPosition(left: ts.FileReference, right: ts.FileReference): number {
  return left.pos - right.pos;
}

/** The file that is imported, without its ending; `undefined` for a package. */
function fileOf(path: string, specifier: string, modules: Modules): string | undefined {
  const place = placeOf(path, specifier);
  if (place === undefined) return undefined;
  const resolved = [place.replace(/\.m?[jt]s$/, ''), `${place}/index`].find((file) => modules.has(file));
  if (resolved === undefined && specifier.startsWith('.'))
    throw new Error(`${path} imports ${specifier}, which is not there`);
  return resolved;
}

function placeOf(path: string, specifier: string): string | undefined {
  const [, library, testing] = /^@app\/([^/]+)(\/testing)?$/.exec(specifier) ?? [];
  if (library !== undefined) return `libs/${library}${testing ?? '/src'}`;
  return specifier.startsWith('.') ? posix.join(dirname(path), specifier) : undefined;
}

function relativeTo(path: string, file: string): string {
  const relative = posix.relative(dirname(path), file);
  return relative.startsWith('.') ? relative : `./${relative}`;
}
