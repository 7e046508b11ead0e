import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Exposure, RouteDescription } from '@app/contract';
import { type MadeProgram, readProgram, withProgram } from './programs.mts';
import { listApplications, root } from './workspace.mts';

/** The exposure of every application by its name. */
export type Exposures = Readonly<Record<string, Exposure>>;

/** The lock file with the exposure of every application, relative to the workspace. */
export const lockFile = 'contract.lock.json';

/** Reads the applications' current exposure. */
export async function readExposures(applications = listApplications()): Promise<Exposures> {
  const { exposureOf } = await import('@app/contract');
  const { describeApi, describeTenantExceptions } = await import('@app/service');
  const exposures: Record<string, Exposure> = {};
  for (const application of applications) {
    exposures[application] = await withProgram(application, async (app) =>
      exposureOf(await lockedRoutes(application, app), describeApi(app), describeTenantExceptions(app)),
    );
  }
  return exposures;
}

/** Returns a program's routes, including the routes that its plan declares for modules. */
export async function lockedRoutes(
  application: string,
  app: MadeProgram,
): Promise<readonly RouteDescription[]> {
  const { describeModuleRoutes, describeRoutes } = await import('@app/service');
  const { moduleRoutes } = await readProgram(application);
  return [...describeRoutes(app), ...describeModuleRoutes(app, moduleRoutes)];
}

/** Returns the exposures that `npm run generate` last locked. The result is empty before the first run. */
export function lockedExposures(): Exposures {
  const file = join(root, lockFile);
  if (!existsSync(file)) return {};
  const locked: Exposures = JSON.parse(readFileSync(file, 'utf8'));
  return locked;
}
