import type { Import, Module } from './read-modules';
import { areaOf, isTest, projectOf } from './places';

/** The libraries by layer, the highest first. */
export type Layers = Readonly<Record<string, readonly string[]>>;

/** For each library, the libraries that its sources import. */
export type LibraryImports = Readonly<Record<string, readonly string[]>>;

/** A layout rule: returns a sentence for each violation. */
export type Rule = (modules: readonly Module[]) => readonly string[];

/** An application imports libraries, and never another application. */
export const keepApplicationsApart = betweenProjects(
  ({ to }) => !to.startsWith('apps/'),
  ({ path, from, to }) => `${path} (${from}) imports the application ${to}`,
);

/** A library imports only the libraries that are listed for it; so do its tests. */
export function keepToListedImports(imports: LibraryImports): Rule {
  return betweenProjects(
    ({ from, to }) => from.startsWith('apps/') || (imports[nameOf(from)] ?? []).includes(nameOf(to)),
    ({ path, from, to }) => `${path} (${from}) imports ${to}, which test/layout/layout.json does not list`,
  );
}

/** Every listed edge is used. */
export function listWhatIsImported(imports: LibraryImports, modules: readonly Module[]): readonly string[] {
  const sources = modules.filter(({ path }) => !isTest(path));
  const found = new Set(crossings(sources).map(({ from, to }) => `${nameOf(from)} → ${nameOf(to)}`));
  return Object.entries(imports)
    .flatMap(([from, listed]) => listed.map((to) => `${from} → ${to}`))
    .filter((edge) => !found.has(edge))
    .map((edge) => `${edge} is listed, and nothing imports it`);
}

/** Edges point to a lower layer, or within `capabilities` to a library without a path back. */
export function pointDown(layers: Layers, imports: LibraryImports): readonly string[] {
  const levels = Object.values(layers);
  const levelOf = (library: string) => levels.findIndex((layer) => layer.includes(library));
  const leadsTo = (from: string, to: string): boolean =>
    (imports[from] ?? []).some((next) => next === to || leadsTo(next, to));
  return Object.entries(imports).flatMap(([from, listed]) =>
    listed
      .filter((to) => levelOf(to) < levelOf(from) || leadsTo(to, from))
      .map((to) => `libs/${from} imports libs/${to}, which is not below it`),
  );
}

/** Each library is in exactly one layer, and each listed library exists. */
export function areInOneLayer(layers: Layers, libraries: readonly string[]): readonly string[] {
  const placed = Object.values(layers).flat();
  return [
    ...libraries
      .filter((library) => placed.filter((name) => name === library).length !== 1)
      .map((library) => `libs/${library} is in no layer of test/layout/layout.json, or in several`),
    ...placed.filter((name) => !libraries.includes(name)).map((name) => `there is no libs/${name}`),
  ];
}

/** No import cycles; type imports count. */
export const haveNoCycle: Rule = (modules) => {
  const byFile = new Map(modules.map((module) => [withoutEnding(module.path), module]));
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): void => {
    const module = byFile.get(file);
    if (module === undefined || done.has(file)) return;
    const before = trail.indexOf(module.path);
    if (before >= 0) return void found.push([...trail.slice(before), module.path].join(' → '));
    for (const target of targetsOf(module)) visit(target, [...trail, module.path]);
    done.add(file);
  };
  for (const file of byFile.keys()) visit(file, []);
  return found;
};

function targetsOf({ imports }: Module): string[] {
  return imports.flatMap(({ target }) => (target === undefined ? [] : [target]));
}

function withoutEnding(path: string): string {
  return path.replace(/\.[cm]?[jt]s$/, '');
}

function nameOf(project: string): string {
  return project.slice(project.indexOf('/') + 1);
}

/** A project is imported by its index, under its alias. */
export const importTheIndex = betweenProjects(
  ({ specifier }) => /^@app\/[^/]+(\/testing)?$/.test(specifier),
  ({ path, specifier }) => `${path} imports ${specifier}, which is not an index`,
);

/** Test helpers are imported by tests, fuzzers and drills only. */
export const keepHelpersToTests = eachImport(
  ({ path }, { target }) =>
    isTest(path) || /^scripts\/(fuzz-|drill\/)/.test(path) || !target?.includes('/testing/'),
  ({ path }, { specifier }) => `${path} is not a test, and imports ${specifier}`,
);

/** In a library only the `nest/` folder and tests import NestJS. */
export const importNestInItsFolder = eachImport(
  ({ path }, { specifier }) =>
    !specifier.startsWith('@nestjs/') || !path.startsWith('libs/') || isTest(path) || isNest(path),
  ({ path }, { specifier }) => `${path} imports ${specifier} outside of nest/`,
);

/** Inside a library, plain files do not import from `nest/`. */
export const keepNestOnTop = eachImport(
  ({ path }, { target }) =>
    !path.startsWith('libs/') || isTest(path) || isNest(path) || isIndex(path) || !isNest(target ?? ''),
  ({ path }, { specifier }) => `${path} is outside of nest/, and imports ${specifier}`,
);

/** No file inside a library imports its own index, except programs that tests run, and tests of what is published. */
export const useNoIndexInside = eachImport(
  ({ path }, { target }) =>
    !isIndex(target ?? '') ||
    projectOf(path) !== projectOf(target ?? '') ||
    path.includes('/testing/programs/') ||
    /^libs\/engine\/src\/.+\.spec\.ts$/.test(path),
  ({ path }, { specifier }) => `${path} imports its own index, as ${specifier}`,
);

/** A library has one index, and its test helpers have one. */
export const haveOneIndex: Rule = (modules) =>
  modules
    .filter(({ path }) => /\/index\.[a-z]+$/.test(path) && !isIndex(path))
    .map(({ path }) => `${path} is a second index`);

/** An index lists our names one by one; a package may be passed on whole. */
export const nameEachExport = eachImport(
  (_module, { passesOnAll, target }) => !passesOnAll || target === undefined,
  ({ path }, { specifier }) => `${path} exports * from ${specifier}`,
);

/** The one file that may evaluate text as code. */
const assembler = 'libs/shapes/src/code/assemble.ts';

/** Text is evaluated as code in one file only. */
export const writeNoCode: Rule = (modules) =>
  modules
    .filter(({ path, writesCode }) => writesCode && path !== assembler)
    .map(({ path }) => `${path} turns text into code`);

/** The dependencies of a manifest. */
export interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** Production code imports dependencies only; tests, helpers and scripts may import devDependencies. */
export function declarePackages(manifest: Manifest): Rule {
  const runtime = Object.keys(manifest.dependencies);
  const all = [...runtime, ...Object.keys(manifest.devDependencies)];
  const isDeclared = ({ path }: Module, { specifier, target }: Import) =>
    target !== undefined ||
    specifier.startsWith('node:') ||
    (areaOf(path) === 'program' ? runtime : all).includes(packageOf(specifier));
  return eachImport(
    isDeclared,
    ({ path }, { specifier }) => `${path} imports ${specifier}, which package.json does not declare for it`,
  );
}

interface Crossing {
  readonly path: string;
  readonly specifier: string;
  /** The importing and the imported project. */
  readonly from: string;
  readonly to: string;
}

function betweenProjects(
  isFine: (crossing: Crossing) => boolean,
  complaint: (crossing: Crossing) => string,
): Rule {
  return (modules) =>
    crossings(modules)
      .filter((crossing) => !isFine(crossing))
      .map(complaint);
}

function crossings(modules: readonly Module[]): Crossing[] {
  return modules.flatMap(({ path, imports }) => imports.flatMap((imported) => crossingOf(path, imported)));
}

/** Files outside of all projects (tests and scripts of the workspace) may import from every project. */
function crossingOf(path: string, { specifier, target }: Import): Crossing[] {
  const [from, to] = [projectOf(path), target === undefined ? undefined : projectOf(target)];
  return from === undefined || to === undefined || from === to ? [] : [{ path, specifier, from, to }];
}

function eachImport(
  isFine: (module: Module, imported: Import) => boolean,
  complaint: (module: Module, imported: Import) => string,
): Rule {
  return (modules) =>
    modules.flatMap((module) =>
      module.imports
        .filter((imported) => !isFine(module, imported))
        .map((imported) => complaint(module, imported)),
    );
}

function isNest(path: string): boolean {
  return /^libs\/[^/]+\/src\/(.+\/)?nest\//.test(path);
}

function isIndex(path: string): boolean {
  return /^libs\/[^/]+\/(src|testing)\/index(\.ts)?$/.test(path);
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
