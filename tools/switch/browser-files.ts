import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import type { TypeScript } from './modules';

/** Dependencies of packages that are bundled for browsers. */
const BROWSER = /^(?:react-dom|preact|vue|svelte|solid-js|lit|@angular\/platform-browser|react-native)$/;
/** Dependencies of packages that run on a server, whatever else they have. */
const SERVER = /^(?:@nestjs\/core|express|fastify|koa|next|nuxt)$/;
/** The files beside the sources of a browser bundle. */
const MARKERS = [
  'index.html',
  'angular.json',
  ...['js', 'mjs', 'ts', 'mts'].map((end) => `vite.config.${end}`),
];
const ENDINGS = ['', '.ts', '.tsx', '.js', '.jsx', '.mts', '.mjs', '/index.ts', '/index.tsx', '/index.js'];

/** The imports that a compiler removes. */
const TYPES = /\b(?:import|export)\s+type\b[^;'"]*from\s*['"][^'"]*['"]/g;

/** A source, relative to the folder of the program, with slashes. */
interface Source {
  readonly path: string;
  readonly text: string;
}

/** The members of a `package.json` that are read. */
interface Manifest {
  readonly name?: string;
  readonly dependencies?: object;
  readonly devDependencies?: object;
  readonly peerDependencies?: object;
}

/** A folder with a manifest. */
interface Package {
  readonly folder: string;
  readonly name: string | undefined;
  readonly isBrowsers: boolean;
}

/**
 * Finds the sources that a browser bundle may include. They are the sources in a package or a folder that is bundled for
 * browsers, and the sources that these import, also by the name of a package in the same repository. The engine is larger than
 * the libraries, and a browser often forbids code generation.
 *
 * @param folder the program folder
 * @param sources all sources in the program
 * @returns the bundle folder by source path
 */
export function browserFiles(
  ts: TypeScript,
  folder: string,
  sources: readonly Source[],
): Map<string, string> {
  const packageOf = packageFinder(folder);
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const reached = new Map<string, string>();
  const pending: (readonly [path: string, bundle: string])[] = sources.flatMap(({ path }) => {
    const bundle = bundleOf(folder, path, packageOf(path));
    return bundle === undefined ? [] : [[path, bundle] as const];
  });
  const byName = new Map<string, string[]>();
  for (const { path } of sources) {
    const { name } = packageOf(path);
    if (name !== undefined) byName.set(name, [...(byName.get(name) ?? []), path]);
  }
  for (const [path, bundle] of pending) {
    if (reached.has(path)) continue;
    reached.set(path, bundle);
    const text = byPath.get(path)!.text.replaceAll(TYPES, '');
    const imports = ts.preProcessFile(text, true, true).importedFiles;
    for (const { fileName } of imports)
      for (const target of targetsOf(path, fileName, byPath, byName)) pending.push([target, bundle]);
  }
  return reached;
}

/** The folder of the browser bundle to which a source belongs itself. */
function bundleOf(folder: string, path: string, { folder: own, isBrowsers }: Package): string | undefined {
  if (isBrowsers) return own;
  for (let place = posix.dirname(path); place !== own && place !== '.'; place = posix.dirname(place))
    if (MARKERS.some((name) => existsSync(join(folder, place, name)))) return place;
  return undefined;
}

function targetsOf(
  path: string,
  specifier: string,
  byPath: ReadonlyMap<string, Source>,
  byName: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  if (!specifier.startsWith('.')) {
    const [scope = '', name] = specifier.split('/');
    return byName.get(scope.startsWith('@') ? `${scope}/${name}` : scope) ?? [];
  }
  const target = posix.join(posix.dirname(path), specifier);
  const stems = [target, target.replace(/\.[cm]?jsx?$/, '')];
  const files = stems.flatMap((stem) => ENDINGS.map((ending) => stem + ending));
  return files.filter((file) => byPath.has(file)).slice(0, 1);
}

/** Finds the package of a source, which is the nearest folder above it that has a manifest. */
function packageFinder(folder: string): (path: string) => Package {
  const packages = new Map<string, Package>();
  const read = (place: string): Package => {
    const file = join(folder, place, 'package.json');
    if (existsSync(file)) return readPackage(place, readFileSync(file, 'utf8'));
    return place === '.' ? { folder: '.', name: undefined, isBrowsers: false } : find(posix.dirname(place));
  };
  const find = (place: string): Package => {
    const nearest = packages.get(place) ?? read(place);
    packages.set(place, nearest);
    return nearest;
  };
  return (path) => find(dirname(path));
}

function readPackage(folder: string, text: string): Package {
  try {
    const manifest: Manifest = JSON.parse(text);
    const { name, dependencies, devDependencies, peerDependencies } = manifest;
    const all = Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies });
    const isBrowsers =
      all.some((dependency) => BROWSER.test(dependency)) &&
      !all.some((dependency) => SERVER.test(dependency));
    return { folder, name, isBrowsers };
  } catch {
    return { folder, name: undefined, isBrowsers: false };
  }
}
