import { listApplications, runNest, runScript } from './workspace.mts';

/** Builds every application and passes the arguments to `nest build`: `npm run build:all -- -b swc`. */
await runScript(() => runNest(['build', ...listApplications(), ...process.argv.slice(2)]));
