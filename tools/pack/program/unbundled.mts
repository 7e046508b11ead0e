import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { root } from '../../../scripts/workspace.mts';
import { externalPackages, storages } from './bundle.mts';

/** The package files that a running program does not need. */
const superfluous = /\.(?:map|d\.[cm]?ts|md)$/;
/** The files of Swagger UI that the reference page loads. */
const swaggerFiles =
  /^(?:package\.json|LICENSE|NOTICE|swagger-ui\.css|swagger-ui-bundle\.js|favicon-32x32\.png)$/;

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** The files that are looked up in a package with bundled modules. */
const lookedUp = /^(?:package\.json|LICENSE|cjs(?:\/.*)?)$/;

/** Copies packages that cannot be bundled, their dependencies, and files looked up by name. Returns versions by name. */
export function copyUnbundled(folder: string): ReadonlyMap<string, string> {
  const versions = new Map<string, string>();
  const names: string[] = [...externalPackages, ...storages];
  for (const name of names) {
    const from = join(root, 'node_modules', name);
    // Binaries for other systems are not installed.
    if (versions.has(name) || !existsSync(from)) continue;
    const { version, dependencies, optionalDependencies } = readManifest(from);
    versions.set(name, version);
    // Types alone, and the telemetry of Swagger UI.
    if (!storages.includes(name))
      names.push(
        ...Object.keys({ ...dependencies, ...optionalDependencies }).filter(
          (dependency) => !/^@(types|scarf)\//.test(dependency),
        ),
      );
    cpSync(from, join(folder, 'node_modules', name), {
      recursive: true,
      filter: (path) => isNeeded(name, path, from),
    });
  }
  return versions;
}

/** Writes the manifest for the packed folder: the reported version, and the packages that the bundle needs. */
export function writeManifest(
  folder: string,
  application: string,
  versions: ReadonlyMap<string, string>,
  commands: readonly { readonly name: string }[],
): void {
  const { name, version, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const scripts = {
    start: 'node main.js',
    ...Object.fromEntries(commands.map(({ name: command }) => [command, `node main.js ${command}`])),
  };
  const dependencies = Object.fromEntries(versions);
  const manifest = {
    name,
    version,
    description: application,
    private: true,
    license,
    engines,
    scripts,
    dependencies,
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

function isNeeded(name: string, path: string, from: string): boolean {
  if (path === from) return true;
  if (storages.includes(name) && !lookedUp.test(relative(from, path))) return false;
  return name === 'swagger-ui-dist' ? swaggerFiles.test(basename(path)) : !superfluous.test(path);
}

function readManifest(from: string): Manifest {
  const manifest: Manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  return manifest;
}
