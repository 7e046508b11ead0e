import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brokenCodes } from '@app/contract';
import { goneExports, lockedExports, readExports } from '../scripts/export-locks.mts';
import { lockedProblems, noCodes, readProblemLocks } from '../scripts/problem-locks.mts';
import { listApplications, root } from '../scripts/workspace.mts';
import { subpaths } from '../tools/pack/service/manifest.mts';

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

describe('the names that the libs export', () => {
  /** Applications import them. A name that must go is removed from exports.lock.json by hand, with a line in CHANGELOG.md. */
  it('include every name of exports.lock.json', () => {
    expect(goneExports(lockedExports(), readExports())).toEqual([]);
  });

  it('are locked for every entry of the package, with the types', () => {
    const locked = lockedExports();
    expect(Object.values(subpaths).filter((path) => (locked[path] ?? []).length === 0)).toEqual([]);
    expect(locked['libs/accounts/src/index']).toEqual(
      expect.arrayContaining(['accounts', 'SignedInUser', 'Limiter']),
    );
    expect(locked['libs/client/src/index']).toContain('createClient');
  });

  it('are missed by name when they go', () => {
    const now = { 'libs/auth/src/index': ['Public'] };
    expect(
      goneExports({ 'libs/auth/src/index': ['Public', 'Roles'], 'libs/mail/src/index': ['html'] }, now),
    ).toEqual([
      'libs/auth/src/index.ts no longer exports Roles',
      'libs/mail/src/index.ts no longer exports html',
    ]);
  });
});
