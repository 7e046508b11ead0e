import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { link, type Modules } from './specifiers.mts';

const root = join(import.meta.dirname, '../../..');
const run = promisify(execFile);

/** A package that contains workspace files, each compiled separately. */
export interface Compiled {
  /** A project of the compiler, relative to the workspace. */
  readonly tsconfig: string;
  /** The public modules, relative to the workspace and without their endings. Modules that they do not need are left out. */
  readonly entries: readonly string[];
  readonly ending: '.js' | '.mjs';
  /** The ending for type files. By default, type files are not written. */
  readonly types?: '.d.ts';
  /** The modules that an entry exports in the workspace but not in the package: `./spawn-program`. */
  readonly without?: readonly string[];
  readonly packageOf?: Modules['packageOf'];
}

/** The CommonJS variables that some sources read. They are defined on the first line, so that other lines keep their numbers. */
const commonJs = [
  ['__dirname', 'import.meta.dirname'],
  ['__filename', 'import.meta.filename'],
] as const;

/** The packages that modules import, each with the paths of these modules, without their endings. */
export type Imported = ReadonlyMap<string, readonly string[]>;

/**
 * Compiles a package with tsc into a module for each source, under the same path.
 *
 * @param folder the folder for the files
 */
export async function compile({ tsconfig, types, ...kind }: Compiled, folder: string): Promise<Imported> {
  const work = await mkdtemp(join(tmpdir(), 'sluice-package-'));
  try {
    const tsc = join(root, 'node_modules/typescript-native/bin/tsc');
    await run(process.execPath, [tsc, '-p', tsconfig, '--outDir', work], { cwd: root });
    const { files, packages } = await copyLinked(work, folder, { ...kind, file: kind.ending });
    if (types !== undefined) await copyLinked(work, folder, { ...kind, entries: files, file: types });
    return packages;
  } finally {
    await rm(work, { recursive: true });
  }
}

interface Kind extends Omit<Compiled, 'tsconfig' | 'types'> {
  /** The file ending for modules or their types. */
  readonly file: string;
}

/** The copied files without their endings, and their imports. */
interface Copied {
  readonly files: readonly string[];
  readonly packages: Imported;
}

/** Copies the entries and their imports. */
async function copyLinked(from: string, to: string, kind: Kind): Promise<Copied> {
  const { entries, file, ending, without = [], packageOf } = kind;
  const paths = await readdir(from, { recursive: true });
  const modulePaths = new Set(
    paths.filter((path) => path.endsWith(file)).map((path) => path.slice(0, -file.length)),
  );
  const reached = new Set(entries);
  const importers: [name: string, path: string][] = [];
  for (const path of reached) {
    const compiled = withoutExports(await readFile(join(from, path + file), 'utf8'), without);
    const modules = { has: (candidate: string) => modulePaths.has(candidate), packageOf };
    const linked = link(path + file, compiled, modules, ending);
    for (const linkedFile of linked.files) reached.add(linkedFile);
    for (const name of linked.packages) importers.push([packageName(name), path]);
    await mkdir(dirname(join(to, path)), { recursive: true });
    await writeFile(join(to, path + file), file === ending ? withVariables(linked.text) : linked.text);
  }
  const byName = Map.groupBy(importers, ([name]) => name);
  const packages = [...byName.keys()]
    .toSorted()
    .map((name) => [name, (byName.get(name) ?? []).map(([, path]) => path)] as const);
  return { files: [...reached], packages: new Map(packages) };
}

function withoutExports(text: string, without: readonly string[]): string {
  const isLeft = (line: string) => without.some((name) => line.endsWith(`from '${name}';`));
  return text
    .split('\n')
    .filter((line) => !isLeft(line))
    .join('\n');
}

function withVariables(text: string): string {
  const used = commonJs.filter(([name]) => new RegExp(String.raw`\b${name}\b`).test(text));
  return used.map(([name, value]) => `const ${name} = ${value};`).join('') + text;
}

function packageName(specifier: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
}
