import './load-sources.mts';
import { withProgram } from './programs.mts';
import { goneExports, lockedExports, readExports } from './export-locks.mts';
import { hasLibs, listApplications, runScript } from './workspace.mts';

/**
 * Checks the contract of every application and reports all findings: `npm run contract:check`. In the workspace of the libs it
 * also compares their exported names with the lock.
 */
for (const application of listApplications()) {
  await runScript(() =>
    withProgram(application, () => console.log(`${application}: the contract has no faults`)),
  );
}

if (hasLibs)
  await runScript(async () => {
    const gone = goneExports(lockedExports(), readExports());
    if (gone.length > 0) throw new Error(gone.join('\n'));
  });
