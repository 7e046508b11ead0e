import { globSync } from 'node:fs';
import { root } from '../../../scripts/workspace.mts';
import { listInProgram } from '../program.mts';
import type { Draft } from '../source/draft.mts';
import { fileOf } from '../source/template.mts';
import { programPath } from './places.mts';

/** The organizations plugin of an application. */
export interface Teams {
  /** The name of the exported constant, whose decorators restrict routes to members. */
  readonly teams: string;
  /** The module that exports it, relative to a resource. */
  readonly teamsModule: string;
}

/** The module that the generator writes. */
const written = 'teams.plugin';

/**
 * Finds the organizations plugin of an application, and lists a new plugin if there is none.
 *
 * @throws Error if the program makes the plugin itself, because its resources cannot import the program
 */
export function requireTeams(draft: Draft, app: string): Teams {
  for (const path of globSync(`apps/${app}/src/**/*.ts`, { cwd: root }).toSorted()) {
    const [, teams] = /^export const (\w+) = organizations\(/m.exec(draft.read(path)) ?? [];
    const module = path.replaceAll('\\', '/').slice(`apps/${app}/src/`.length, -'.ts'.length);
    if (teams !== undefined) return { teams, teamsModule: `../${module}` };
  }
  if (/\borganizations\(/.test(draft.read(programPath({ app }))))
    throw new Error(
      `${programPath({ app })}: routes name the roles by a constant of a file: write export const teams = organizations() to apps/${app}/src/${written}.ts, and list teams`,
    );
  draft.write(`apps/${app}/src/${written}.ts`, fileOf(`resource/${written}.ts`, {}));
  listInProgram(draft, app, { list: 'plugins', name: 'teams', module: `./${written}` });
  return { teams: 'teams', teamsModule: `../${written}` };
}
