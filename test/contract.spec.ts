import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brokenCodes } from '@app/contract';
import { lockedProblems, noCodes, readProblemLocks } from '../scripts/problem-locks.mts';
import { listApplications, root } from '../scripts/workspace.mts';

describe.each(listApplications())('the contract of %s', (application) => {
  it('is compared with contract.lock.json, with the other promises of the program', () => {
    const spec = readFileSync(join(root, 'apps', application, 'test/promises.spec.ts'), 'utf8');
    expect(spec).toMatch(/^theProgramKeepsItsPromises\(program/m);
  });

  /** Clients depend on them. One that must go is removed from problems.lock.json by hand, with a line in CHANGELOG.md. */
  it('has every code of problems.lock.json', async () => {
    const { [application]: now = noCodes } = await readProblemLocks([application]);
    expect(brokenCodes(lockedProblems()[application] ?? noCodes, now)).toEqual([]);
  });
});
