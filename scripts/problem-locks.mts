import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { problemLockOf } from '@app/contract';
import { withProgram } from './programs.mts';
import { listApplications, root } from './workspace.mts';

/** An application's error codes. */
type ProblemLock = ReturnType<typeof problemLockOf>;

/** The error codes of every application by its name. */
export type ProblemLocks = Readonly<Record<string, ProblemLock>>;

/** The lock file with the error codes that clients may depend on, relative to the workspace. */
export const problemLockFile = 'problems.lock.json';

/** Reads the applications' current error codes. */
export async function readProblemLocks(applications = listApplications()): Promise<ProblemLocks> {
  const { problemLockOf } = await import('@app/contract');
  const { describeProblems } = await import('@app/service');
  const locks: Record<string, ProblemLock> = {};
  for (const application of applications) {
    locks[application] = await withProgram(application, (app) => {
      const { all, rules } = describeProblems(app);
      return problemLockOf(all, rules);
    });
  }
  return locks;
}

/** Returns the locked codes. The result is empty before the first lock. */
export function lockedProblems(): ProblemLocks {
  const file = join(root, problemLockFile);
  if (!existsSync(file)) return {};
  const locked: ProblemLocks = JSON.parse(readFileSync(file, 'utf8'));
  return locked;
}

/** A new application's lock. */
export const noCodes: ProblemLock = { problems: {}, rules: {} };
