import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Exposure, RouteDescription } from '@app/contract';
import { type MadeProgram, readProgram, withProgram } from './programs.mts';
import { listApplications, root } from './workspace.mts';

/** What every application exposes, by its name. */
export type Exposures = Readonly<Record<string, Exposure>>;

/** The file with what every application exposes; relative to the workspace. */
export const lockFile = 'contract.lock.json';

/** Reads what the applications expose now. */
export async function readExposures(applications = listApplications()): Promise<Exposures> {
  const { exposureOf } = await import('@app/contract');
  const { describeApi } = await import('@app/service');
  const found: Record<string, Exposure> = {};
  for (const application of applications) {
    found[application] = await withProgram(application, async (app) =>
      exposureOf(await lockedRoutes(application, app), describeApi(app)),
    );
  }
  return found;
}

/** The routes of a program, and what its plan says of those that modules register. */
export async function lockedRoutes(
  application: string,
  app: MadeProgram,
): Promise<readonly RouteDescription[]> {
  const { describeModuleRoutes, describeRoutes } = await import('@app/service');
  const { moduleRoutes } = await readProgram(application);
  return [...describeRoutes(app), ...describeModuleRoutes(app, moduleRoutes)];
}

/** What was last locked by `npm run generate`; empty before the first time. */
export function lockedExposures(): Exposures {
  const file = join(root, lockFile);
  if (!existsSync(file)) return {};
  const locked: Exposures = JSON.parse(readFileSync(file, 'utf8'));
  return locked;
}
