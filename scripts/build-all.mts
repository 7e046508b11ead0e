import { listApplications, runNest, runScript } from './workspace.mts';

/** Builds every application; what follows goes to `nest build`: `npm run build:all -- -b swc`. */
await runScript(() => runNest(['build', ...listApplications(), ...process.argv.slice(2)]));
