import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { problemLockOf } from '@app/contract';
import { withProgram } from './programs.mts';
import { listApplications, root } from './workspace.mts';

/** The codes of one application's errors. */
type ProblemLock = ReturnType<typeof problemLockOf>;

/** The codes of errors of every application, by its name. */
export type ProblemLocks = Readonly<Record<string, ProblemLock>>;

/** The file with the codes of errors that clients may depend on; relative to the workspace. */
export const problemLockFile = 'problems.lock.json';

/** Reads the codes that the applications have now. */
export async function readProblemLocks(applications = listApplications()): Promise<ProblemLocks> {
  const { problemLockOf } = await import('@app/contract');
  const { describeProblems } = await import('@app/service');
  const found: Record<string, ProblemLock> = {};
  for (const application of applications) {
    found[application] = await withProgram(application, (app) => {
      const { all, rules } = describeProblems(app);
      return problemLockOf(all, rules);
    });
  }
  return found;
}

/** The codes that were last locked; none before the first time. */
export function lockedProblems(): ProblemLocks {
  const file = join(root, problemLockFile);
  if (!existsSync(file)) return {};
  const locked: ProblemLocks = JSON.parse(readFileSync(file, 'utf8'));
  return locked;
}

/** What is locked of an application that is new. */
export const noCodes: ProblemLock = { problems: {}, rules: {} };
