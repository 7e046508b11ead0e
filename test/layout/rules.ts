import type { Import, Module } from './read-modules';
import { areaOf, isTest, projectOf } from './places';

/** The libraries by layer. The highest layer comes first. */
export type Layers = Readonly<Record<string, readonly string[]>>;

/** The libraries that each library's sources import. A tool also lists tools. */
export type LibraryImports = Readonly<Record<string, readonly string[]>>;

/** A layout rule. It returns a sentence for each violation. */
export type Rule = (modules: readonly Module[]) => readonly string[];

/** Requires that an application imports libraries only, so applications stay apart. */
export const keepApplicationsApart = betweenProjects(
  ({ to }) => !to.startsWith('apps/'),
  ({ path, from, to }) => `${path} (${from}) imports the application ${to}`,
);

/** Requires that a library or tool and its tests import only the listed projects. */
export function keepToListedImports(imports: LibraryImports): Rule {
  return betweenProjects(
    ({ from, to }) => from.startsWith('apps/') || (imports[nameOf(from)] ?? []).includes(nameOf(to)),
    ({ path, from, to }) => `${path} (${from}) imports ${to}, which test/layout/layout.json does not list`,
  );
}

/** Requires that every listed edge is used. */
export function listWhatIsImported(imports: LibraryImports, modules: readonly Module[]): readonly string[] {
  const used = new Set(crossings(modules).map(({ from, to }) => `${nameOf(from)} → ${nameOf(to)}`));
  return Object.entries(imports)
    .flatMap(([from, listed]) => listed.map((to) => `${from} → ${to}`))
    .filter((edge) => !used.has(edge))
    .map((edge) => `${edge} is listed, and nothing imports it`);
}

/**
 * Requires that edges point to a lower layer. Within a layer and between tools, an edge may point to a project without a path
 * back.
 */
export function pointDown(layers: Layers, imports: LibraryImports): readonly string[] {
  const levels = Object.values(layers);
  const levelOf = (library: string) => levels.findIndex((layer) => layer.includes(library));
  const leadsTo = (from: string, to: string): boolean =>
    (imports[from] ?? []).some((next) => next === to || leadsTo(next, to));
  return Object.entries(imports).flatMap(([from, listed]) =>
    listed
      .filter((to) => levelOf(to) < levelOf(from) || leadsTo(to, from))
      .map((to) => `${from} imports ${to}, which is not below it`),
  );
}

/** Requires that each library is in exactly a single layer, and that each listed library exists. */
export function areInOneLayer(layers: Layers, libraries: readonly string[]): readonly string[] {
  const placed = Object.values(layers).flat();
  return [
    ...libraries
      .filter((library) => placed.filter((name) => name === library).length !== 1)
      .map((library) => `libs/${library} is in no layer of test/layout/layout.json, or in several`),
    ...placed.filter((name) => !libraries.includes(name)).map((name) => `there is no libs/${name}`),
  ];
}

/** Refuses import cycles. Type imports count. */
export const haveNoCycle: Rule = (modules) => {
  const byFile = new Map(modules.map((module) => [withoutEnding(module.path), module]));
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): void => {
    const module = byFile.get(file);
    if (module === undefined || done.has(file)) return;
    const before = trail.indexOf(module.path);
    if (before >= 0) return void cycles.push([...trail.slice(before), module.path].join(' → '));
    for (const target of targetsOf(module)) visit(target, [...trail, module.path]);
    done.add(file);
  };
  for (const file of byFile.keys()) visit(file, []);
  return cycles;
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

/**
 * Requires that a library is imported by its index, under its alias. Fuzzers and simulators are exempt because they drive inner
 * parts, and the engine's command is exempt because it is compared with its package entry.
 */
export const importTheIndex = betweenProjects(
  ({ path, to, specifier }) =>
    to.startsWith('tools/') ||
    /^tools\/(fuzz|simulate|switch)\//.test(path) ||
    /^@app\/[^/]+(\/testing)?$/.test(specifier),
  ({ path, specifier }) => `${path} imports ${specifier}, which is not an index`,
);

/** Restricts test helpers to tests, fuzzers, drills and the checks of packed programs. */
export const keepHelpersToTests = eachImport(
  ({ path }, { target }) =>
    isTest(path) || /^tools\/(fuzz|drill|pack)\//.test(path) || !target?.includes('/testing/'),
  ({ path }, { specifier }) => `${path} is not a test, and imports ${specifier}`,
);

/** Refuses tool imports in scripts, because tools use the scripts. */
export const keepScriptsBelow = eachImport(
  ({ path }, { target }) => !path.startsWith('scripts/') || !target?.startsWith('tools/'),
  ({ path }, { specifier }) => `${path} imports the tool ${specifier}`,
);

/** The decorators with which Nest provides a class. A program without Nest constructs such a class like any other class. */
const annotations = new Set(['Inject', 'Injectable', 'Optional']);

/** Restricts NestJS imports beyond the {@link annotations} to tests and library files with a Nest suffix (`auth.guard.ts`). */
export function importNestInItsFiles(suffixes: readonly string[]): Rule {
  return eachImport(
    ({ path }, { specifier, names }) =>
      !specifier.startsWith('@nestjs/') ||
      (names.length > 0 && names.every((name) => annotations.has(name))) ||
      !path.startsWith('libs/') ||
      isTest(path) ||
      isNest(path, suffixes),
    ({ path }, { specifier }) =>
      `${path} imports ${specifier}, and its name has no suffix of test/layout/layout.json`,
  );
}

/** Restricts `issueMembership`, which opens the rows of any tenant, to guards, jobs and tests. */
export const issueMembershipsInGuards = eachImport(
  ({ path }, { names }) =>
    !names.includes('issueMembership') || isTest(path) || /\.(guard|job)\.ts$/.test(path),
  ({ path }) =>
    `${path} imports issueMembership, and is no *.guard.ts or *.job.ts. Take the Membership of the route`,
);

/** Refuses imports from a library's plain files to its files with a Nest suffix. */
export function keepNestOnTop(suffixes: readonly string[]): Rule {
  return eachImport(
    ({ path }, { target }) =>
      !path.startsWith('libs/') ||
      isTest(path) ||
      isNest(path, suffixes) ||
      isIndex(path) ||
      !isNest(target ?? '', suffixes),
    ({ path }, { specifier }) => `${path} has no suffix of Nest, and imports ${specifier}`,
  );
}

/**
 * Requires that neighboring folders in a library or tool import in a single direction, also through a third folder. Tests do not
 * count.
 */
export const keepFoldersApart: Rule = (modules) => {
  const edges = new Map<string, Map<string, string>>();
  for (const { path, imports } of modules) {
    if (isTest(path)) continue;
    for (const { target } of imports) {
      const [from, to] = siblings(path, target ?? '');
      if (from === undefined || to === undefined) continue;
      const targets = edges.get(from) ?? new Map<string, string>();
      edges.set(from, targets.set(to, targets.get(to) ?? path));
    }
  }
  const leadsTo = (from: string, to: string, passed = new Set<string>()): boolean =>
    !passed.has(from) &&
    [...(edges.get(from)?.keys() ?? [])].some((next) => next === to || leadsTo(next, to, passed.add(from)));
  return [...edges].flatMap(([from, targets]) =>
    [...targets]
      .filter(([to]) => leadsTo(to, from))
      .map(([to, path]) => `${from} imports ${to}, which leads back to it: ${path}`),
  );
};

/**
 * Returns the neighboring folders in which the paths of two files part. The result is empty if a file lies directly in their
 * common folder.
 */
function siblings(path: string, target: string): readonly [string?, string?] {
  const [top] = /^(libs\/[^/]+\/src|tools\/[^/]+)\//.exec(path) ?? [];
  if (top === undefined || projectOf(path) !== projectOf(target)) return [];
  const [from, to] = [path.split('/'), target.split('/')];
  const parting = from.findIndex((name, level) => name !== to[level]);
  const isFolder =
    parting >= top.split('/').length - 1 && parting < from.length - 1 && parting < to.length - 1;
  return isFolder ? [from.slice(0, parting + 1).join('/'), to.slice(0, parting + 1).join('/')] : [];
}

/**
 * Refuses imports of a library's own index inside the library. Programs that tests run are exempt, like tests for published
 * code.
 */
export const useNoIndexInside = eachImport(
  ({ path }, { target }) =>
    !isIndex(target ?? '') ||
    projectOf(path) !== projectOf(target ?? '') ||
    path.includes('/testing/programs/') ||
    /^libs\/engine\/src\/.+\.spec\.ts$/.test(path),
  ({ path }, { specifier }) => `${path} imports its own index, as ${specifier}`,
);

/** Requires a single index for each library and a single index for its test helpers. */
export const haveOneIndex: Rule = (modules) =>
  modules
    .filter(({ path }) => /\/index\.[a-z]+$/.test(path) && !isIndex(path))
    .map(({ path }) => `${path} is a second index`);

/**
 * Requires that an index lists our names individually. It may re-export a package or an application's generated schemas as a
 * whole.
 */
export const nameEachExport = eachImport(
  (_module, { passesOnAll, target }) =>
    !passesOnAll || target === undefined || target === 'libs/client/src/schemas',
  ({ path }, { specifier }) => `${path} exports * from ${specifier}`,
);

/** The only file that may evaluate text as code. */
const assembler = 'libs/engine/src/shapes/code/assemble.ts';

/** Requires that only a single file evaluates text as code. */
export const writeNoCode: Rule = (modules) =>
  modules
    .filter(({ path, writesCode }) => writesCode && path !== assembler)
    .map(({ path }) => `${path} turns text into code`);

/**
 * Restricts private platform parts to these files. Each file states the version, the gain, and the effect of removing the parts.
 */
export function listInternals(files: readonly string[]): Rule {
  return (modules) =>
    modules
      .filter(
        ({ path, internals }) => internals.length > 0 && areaOf(path) === 'program' && !files.includes(path),
      )
      .map(
        ({ path, internals }) =>
          `${path} uses ${internals.join(', ')}, which is private. Use a public interface; if there is none, ` +
          'write a file *.internals.ts and list it in test/layout/layout.json',
      );
}

/**
 * The files with members that must stay hidden in logs and consoles. The members hold tokens and values that a database refused.
 */
const hiding = new Set(['libs/persistence/src/errors.ts', 'libs/client/src/session.ts']);
/** The source of the published engine. A minifier shortens its `#members`, which saves 2 of 120 kB in a bundle. */
const MINIFIED = 'libs/engine/src/';

/**
 * Requires `private` members, which a debugger shows and a test can replace. Members are `#hidden` where printing them tells a
 * secret, and in the engine.
 */
export const keepMembersPrivate: Rule = (modules) =>
  modules
    .filter(({ path, hidesMembers }) => hidesMembers && areaOf(path) === 'program')
    .filter(({ path }) => !hiding.has(path) && !path.startsWith(MINIFIED))
    .map(({ path }) => `${path} has a member with #; members are private`);

/** A manifest's dependencies. */
export interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** Requires that production code imports dependencies only. Tests, helpers, tools and scripts may import devDependencies. */
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

/**
 * Returns the import if it crosses projects. Files outside all projects, such as workspace tests and scripts, may import every
 * project.
 */
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

/** Whether a name ends in a Nest suffix, such as `auth.guard.ts` or `auth.guard.internals.ts`, or `auth.guard` in an import. */
function isNest(path: string, suffixes: readonly string[]): boolean {
  const suffix = /^libs\/[^/]+\/src\/.*\.([a-z]+)$/.exec(path.replace(/(\.internals)?(\.ts)?$/, ''))?.[1];
  return suffix !== undefined && suffixes.includes(suffix);
}

/** Whether a file is a library's index. The `engine` package has an index for each entry. */
function isIndex(path: string): boolean {
  return /^libs\/([^/]+\/(src|testing)\/index|engine\/src\/nest)(\.ts)?$/.test(path);
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Whether a command or a list generates the source file. */
export const isGenerated = (path: string): boolean =>
  /^libs\/client\/src\/(api|routes|schemas)\.ts$|\.list\.ts$|\.d\.ts$/.test(path);

/** The number of lines that a project may be below its ceiling before the ceiling has to fall. */
const slack = 200;

/**
 * Keeps each library and tool below its ceiling of source lines, which excludes specs, test helpers and generated files. A
 * ceiling falls with the project's lines, and rises only in a commit that adds a capability and says so.
 *
 * @returns a sentence for each project that is above its ceiling, is far below it, or lacks a ceiling
 */
export function keepBelowCeilings(
  ceilings: Readonly<Record<string, number>>,
  modules: readonly Module[],
): readonly string[] {
  const counts = new Map<string, number>();
  for (const { path, lines } of modules) {
    const project = projectOf(path);
    if (project === undefined || project.startsWith('apps/') || isTest(path) || isGenerated(path)) continue;
    counts.set(project, (counts.get(project) ?? 0) + lines);
  }
  return [...counts].flatMap(([project, lines]) => {
    const ceiling = ceilings[project];
    if (ceiling === undefined) return [`${project} has no ceiling: add ${lines} to test/layout/layout.json`];
    if (lines > ceiling) return [`${project} has ${lines} lines, and its ceiling is ${ceiling}: delete code`];
    if (lines < ceiling - slack)
      return [`${project} has ${lines} lines: lower its ceiling of ${ceiling} in test/layout/layout.json`];
    return [];
  });
}
