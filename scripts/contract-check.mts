import './load-sources.mts';
import { withProgram } from './programs.mts';
import { listApplications, runScript } from './workspace.mts';

/** Looks at the contract of every application, and tells everything that is wrong with it: `npm run contract:check`. */
for (const application of listApplications()) {
  await runScript(() =>
    withProgram(application, () => console.log(`${application}: the contract has no fault`)),
  );
}
