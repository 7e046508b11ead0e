import { readName, readWorkspace } from '../../../scripts/workspace.mts';
import { type Names, readNames } from '../names.mts';
import { packagedLibs } from '../lib-imports.mts';
import type { Draft } from '../source/draft.mts';
import { filesOf } from '../source/template.mts';

/** A kind of project. */
export interface Kind {
  readonly type: 'application' | 'library';
  /** The folder of projects of this kind. */
  readonly folder: 'apps' | 'libs';
  readonly entryFile: 'main' | 'index';
  readonly tsconfig: 'tsconfig.app.json' | 'tsconfig.lib.json';
  /** @returns text by path, relative to the project's folder */
  readonly files: (names: Names) => Record<string, string>;
}

/**
 * Drafts a project and declares it to the Nest CLI. (The CLI's own generators create one that neither builds, lints nor
 * passes tests here: an alias of a folder, a reference to a missing application, Jest, `export *`.)
 *
 * @param name as the caller gave it
 * @returns its names
 * @throws Error for an invalid name
 */
export function makeProject(draft: Draft, kind: Kind, name: string | undefined): Names {
  const workspace = readWorkspace();
  const names = readNames(name, Object.keys(workspace.projects));
  if (packagedLibs.includes(names.kebab))
    throw new Error(`${names.kebab} is taken: it is a lib of @sluice/service`);
  const folder = `${kind.folder}/${names.kebab}`;
  if (draft.has(folder)) throw new Error(`${folder} already exists`);
  const files = { ...kind.files(names), [kind.tsconfig]: tsconfigOf(kind, folder) };
  for (const [path, text] of Object.entries(files)) draft.write(`${folder}/${path}`, text);
  const projects = { ...workspace.projects, [names.kebab]: projectOf(kind, folder) };
  draft.write('nest-cli.json', toJson({ ...workspace, projects }));
  return names;
}

export function toJson(content: unknown): string {
  return JSON.stringify(content, undefined, 2);
}

function projectOf({ type, entryFile, tsconfig }: Kind, folder: string): object {
  const compilerOptions = { tsConfigPath: `${folder}/${tsconfig}` };
  return { type, root: folder, entryFile, sourceRoot: `${folder}/src`, compilerOptions };
}

/** Builds of an application check no types: `npm run types` does, once for all. */
function tsconfigOf({ type }: Kind, folder: string): string {
  const emit = type === 'library' ? { declaration: true } : { declaration: false, noCheck: true };
  return toJson({
    extends: '../../tsconfig.json',
    compilerOptions: { ...emit, rootDir: '../..', outDir: `../../dist/${folder}`, types: ['node'] },
    include: ['src/**/*'],
    exclude: ['node_modules', 'dist', 'test', 'testing', '**/*.spec.ts'],
  });
}

/**
 * Returns the files of a new application: complete, with `GET /` as its only public route, on the store that the others use.
 *
 * @returns text by path, relative to the application's folder
 */
export function appFiles(names: Names): Record<string, string> {
  return filesOf('app', { ...names, product: readName().replaceAll(/[^\w-]/g, String.raw`\$&`) });
}

/** Returns the files of a new library: a module and its service, exported by one index. */
export function libFiles(names: Names): Record<string, string> {
  return filesOf('lib', { ...names, parameter: names.kebab.replaceAll('-', '') });
}
