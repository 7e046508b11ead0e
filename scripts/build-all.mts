import { listApplications, runNest, runScript } from './workspace.mts';

/** Builds every application; the arguments are passed to `nest build`: `npm run build:all -- -b swc`. */
await runScript(() => runNest(['build', ...listApplications(), ...process.argv.slice(2)]));
