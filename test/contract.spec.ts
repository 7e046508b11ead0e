import { brokenCodes, compareExposures } from '@app/contract';
import { lockedExposures, readExposures } from '../scripts/exposures.mts';
import { lockedProblems, noCodes, readProblemLocks } from '../scripts/problem-locks.mts';
import { listApplications } from '../scripts/workspace.mts';

/** An intended difference is locked by `npm run generate`, for a reviewer to read. */
describe.each(listApplications())('the contract of %s', (application) => {
  const change = async () => {
    const now = await readExposures([application]);
    return compareExposures(lockedExposures()[application] ?? {}, now[application] ?? {});
  };

  it('is not wider than contract.lock.json', async () => {
    expect((await change()).wider).toEqual([]);
  });

  it('is not narrower either: the lock is up to date (`npm run generate`)', async () => {
    expect((await change()).narrower).toEqual([]);
  });

  /** Clients depend on them. One that must go is removed from problems.lock.json by hand, with a line in CHANGELOG.md. */
  it('has every code of problems.lock.json', async () => {
    const { [application]: now = noCodes } = await readProblemLocks([application]);
    expect(brokenCodes(lockedProblems()[application] ?? noCodes, now)).toEqual([]);
  });
});
