import type { Import, Module } from './read-modules';
import { areaOf, isTest, projectOf } from './places';

/** The libraries by floor, the highest first. */
export type Floors = Readonly<Record<string, readonly string[]>>;

/** A rule of the house: a sentence for each place that breaks it. */
export type Rule = (modules: readonly Module[]) => readonly string[];

/** Imports between projects point down: applications on top, then each floor of the libraries, in order. */
export function pointDown(floors: Floors): Rule {
  const levels = Object.values(floors);
  const levelOf = (project: string) =>
    project.startsWith('apps/') ? -1 : levels.findIndex((floor) => floor.includes(project.slice(5)));
  return betweenProjects(
    ({ from, to }) => levelOf(to) > levelOf(from),
    ({ path, from, to }) => `${path} (${from}) imports ${to}, which does not lie below it`,
  );
}

/** Each library stands on exactly one floor, and each floor holds libraries that are there. */
export function standOnOneFloor(floors: Floors, libraries: readonly string[]): readonly string[] {
  const placed = Object.values(floors).flat();
  return [
    ...libraries
      .filter((library) => placed.filter((name) => name === library).length !== 1)
      .map((library) => `libs/${library} stands on no floor of test/house/floors.json, or on several`),
    ...placed.filter((name) => !libraries.includes(name)).map((name) => `there is no libs/${name}`),
  ];
}

/** A project is entered by its front door, under its alias. */
export const enterByTheFrontDoor = betweenProjects(
  ({ specifier }) => /^@app\/[^/]+(\/testing)?$/.test(specifier),
  ({ path, specifier }) => `${path} imports ${specifier}, which is no front door`,
);

/** Test helpers are for tests; to fuzz is to test for longer. */
export const keepHelpersToTests = eachImport(
  ({ path }, { target }) =>
    isTest(path) || path.startsWith('scripts/fuzz-') || !target?.includes('/testing/'),
  ({ path }, { specifier }) => `${path} is no test, and imports ${specifier}`,
);

/** In a library NestJS is known to its `nest/` folder, its tests, and nobody else. */
export const knowNestInItsFolder = eachImport(
  ({ path }, { specifier }) =>
    !specifier.startsWith('@nestjs/') || !path.startsWith('libs/') || isTest(path) || isNest(path),
  ({ path }, { specifier }) => `${path} imports ${specifier} outside of nest/`,
);

/** Inside a library files point down as well: what is plain does not lean on `nest/`. */
export const keepNestOnTop = eachImport(
  ({ path }, { target }) =>
    !path.startsWith('libs/') || isTest(path) || isNest(path) || isIndex(path) || !isNest(target ?? ''),
  ({ path }, { specifier }) => `${path} is plain, and imports ${specifier}`,
);

/** Nobody inside a library goes out by its front door to come in again, but programs that tests run as if they were ours. */
export const useNoIndexInside = eachImport(
  ({ path }, { target }) =>
    !isIndex(target ?? '') ||
    projectOf(path) !== projectOf(target ?? '') ||
    path.includes('/testing/programs/'),
  ({ path }, { specifier }) => `${path} imports its own index, as ${specifier}`,
);

/** A library has one index, and its test helpers have one. */
export const haveOneIndex: Rule = (modules) =>
  modules
    .filter(({ path }) => /\/index\.[a-z]+$/.test(path) && !isIndex(path))
    .map(({ path }) => `${path} is a second front door`);

/** An index lists names one by one. */
export const nameEachExport = eachImport(
  (_module, { passesOnAll }) => !passesOnAll,
  ({ path }, { specifier }) => `${path} exports * from ${specifier}`,
);

/** The one file that may turn text into code. */
const assembler = 'libs/shapes/src/code/assemble.ts';

/** Text does not become code, but in the one place that is made for it. */
export const writeNoCode: Rule = (modules) =>
  modules
    .filter(({ path, writesCode }) => writesCode && path !== assembler)
    .map(({ path }) => `${path} turns text into code`);

/** What a manifest declares. */
export interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** What runs in production is a dependency; tests, helpers and scripts have the others as well. */
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
  /** The project that imports, and the one that is imported. */
  readonly from: string;
  readonly to: string;
}

function betweenProjects(
  isFine: (crossing: Crossing) => boolean,
  complaint: (crossing: Crossing) => string,
): Rule {
  return (modules) =>
    modules
      .flatMap(({ path, imports }) => imports.flatMap((imported) => crossingOf(path, imported)))
      .filter((crossing) => !isFine(crossing))
      .map(complaint);
}

/** The workspace about itself lies in no project, and may look into all of them. */
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
