import { readName, readWorkspace } from '../../../scripts/workspace.mts';
import { type Names, readNames } from '../names.mts';
import { packagedLibs } from '../lib-imports.mts';
import type { Draft } from '../source/draft.mts';
import { filesOf } from '../source/template.mts';

/** A kind of project. */
export interface Kind {
  readonly type: 'application' | 'library';
  /** The folder for this kind of project. */
  readonly folder: 'apps' | 'libs';
  readonly entryFile: 'main' | 'index';
  readonly tsconfig: 'tsconfig.app.json' | 'tsconfig.lib.json';
  /** Returns the texts of the project files by path, relative to the project's folder. */
  readonly files: (names: Names) => Record<string, string>;
}

/**
 * Drafts a project and declares it to the Nest CLI. (The CLI generators create a project that fails the build, lint and tests
 * here, with an alias of a folder, a reference to a missing application, Jest, and `export *`.)
 *
 * @param name the name as the caller specified it
 * @returns the names in all spellings
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
 * Returns the files for a complete application, with `GET /` as its only public route and the store of the other applications.
 *
 * @param operators whether the callers are the operators, who manage the accounts of the other applications
 * @returns text by path, relative to the application's folder
 */
export function appFiles(names: Names, operators: boolean): Record<string, string> {
  const values = { ...names, operators, product: readName().replaceAll(/[^\w-]/g, String.raw`\$&`) };
  return { ...filesOf('app', values), ...(operators && filesOf('operators', values)) };
}

/** Returns the files for a new library: a module and its service, exported by a single index. */
export function libFiles(names: Names): Record<string, string> {
  return filesOf('lib', { ...names, parameter: names.kebab.replaceAll('-', '') });
}
