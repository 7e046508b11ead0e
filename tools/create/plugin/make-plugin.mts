import { readWorkspace } from '../../../scripts/workspace.mts';
import { readNames } from '../names.mts';
import { listInProgram } from '../program.mts';
import { programPath } from '../resource/places.mts';
import { Draft } from '../source/draft.mts';
import { filesOf } from '../source/template.mts';

/** The input for a new plugin. */
export interface PluginRequest {
  /** The application that gets it. */
  readonly app: string;
  readonly name: string | undefined;
}

/**
 * Drafts a plugin of an application with its spec, and lists it in the program.
 *
 * @throws Error for an invalid or taken name, an unknown application, or a program without a list of plugins
 */
export function makePlugin({ app, name }: PluginRequest): { readonly folder: string; readonly draft: Draft } {
  const names = readNames(name, Object.keys(readWorkspace().projects));
  const draft = new Draft();
  const path = programPath({ app });
  if (!draft.has(path)) throw new Error(`there is no application ${app}`);
  const folder = `apps/${app}/src/${names.kebab}`;
  if (draft.has(folder)) throw new Error(`${folder} already exists`);
  if (new RegExp(String.raw`[{,\s]${names.camel}\b`).test(draft.read(path)))
    throw new Error(`the name ${names.camel} is taken in the program: choose another name`);
  const { camel: appCamel, pascal: appPascal } = readNames(app, []);
  const values = {
    ...names,
    app,
    appCamel,
    appPascal,
    setting: names.kebab.replaceAll('-', '_').toUpperCase(),
  };
  for (const [file, text] of Object.entries(filesOf('plugin', values)))
    draft.write(`${folder}/${file}`, text);
  const module = `./${names.kebab}/${names.kebab}.plugin`;
  listInProgram(draft, app, { list: 'plugins', name: names.camel, module });
  return { folder, draft };
}
