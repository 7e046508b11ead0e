import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { root } from '../../../scripts/workspace.mts';
import { externalPackages, storages } from './bundle.mts';

/** Of a package, what is not needed to run it. */
const superfluous = /\.(?:map|d\.[cm]?ts|md)$/;
/** The files of Swagger UI that the reference page loads. */
const swaggerFiles =
  /^(?:package\.json|LICENSE|NOTICE|swagger-ui\.css|swagger-ui-bundle\.js|favicon-32x32\.png)$/;

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Of a package whose modules are in the bundle, what is looked up. */
const lookedUp = /^(?:package\.json|LICENSE|cjs(?:\/.*)?)$/;

/** Copies what cannot be bundled, with its dependencies, and what is looked up by name. @returns their versions by name */
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
          (one) => !/^@(types|scarf)\//.test(one),
        ),
      );
    cpSync(from, join(folder, 'node_modules', name), {
      recursive: true,
      filter: (path) => isNeeded(name, path, from),
    });
  }
  return versions;
}

/** The manifest of the packed folder: the version that the program reports, and what it needs beside its bundle. */
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
