import './load-sources.mts';
import { withProgram } from './programs.mts';
import { listApplications, runScript } from './workspace.mts';

/** Checks the contract of every application and reports all findings: `npm run contract:check`. */
for (const application of listApplications()) {
  await runScript(() =>
    withProgram(application, () => console.log(`${application}: the contract has no faults`)),
  );
}
