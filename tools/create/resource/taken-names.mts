import { lockedRoutes } from '../../../scripts/exposures.mts';
import { readProgram, withProgram } from '../../../scripts/programs.mts';
import { listApplications } from '../../../scripts/workspace.mts';

/** The names that a new resource of an application cannot have. */
export interface TakenNames {
  /** The tables of all applications, which may share a database, as in `Tables`. */
  readonly tables: ReadonlySet<string>;
  /** The paths and their beginnings: `users`, `users/me`. */
  readonly paths: ReadonlySet<string>;
  /** The controllers, and the classes of the OpenAPI document. */
  readonly classes: ReadonlySet<string>;
}

/**
 * Reads the names from the programs, so that a new library, route or table needs no separate entry.
 *
 * @throws Error if the application is missing from the workspace
 */
export async function readTakenNames(application: string): Promise<TakenNames> {
  if (!listApplications().includes(application))
    throw new Error(`${application} is not an application: see "projects" in nest-cli.json`);
  const { describeApi, schemasOf } = await import('@app/service');
  const programs = await Promise.all(listApplications().map(readProgram));
  const tables = new Set(programs.flatMap((program) => schemasOf(program).tables).map(({ name }) => name));
  return withProgram(application, async (app) => {
    const routes = await lockedRoutes(application, app);
    const { schemas } = describeApi(app).components;
    return {
      tables,
      paths: new Set(routes.flatMap(({ path }) => beginningsOf(path))),
      classes: new Set([...Object.keys(schemas), ...routes.map(({ controller }) => controller.name)]),
    };
  });
}

function beginningsOf(path: string): readonly string[] {
  const segments = path.slice(1).split('/');
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'));
}
