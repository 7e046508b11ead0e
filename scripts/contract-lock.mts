import './load-sources.mts';
import { lockedExposures, lockExposures, readExposures } from './exposures.mts';
import { runScript } from './workspace.mts';

/** Writes down what every application lets in and out, and tells what has changed: `npm run contract:lock`. */
await runScript(async () => {
  const { compareExposures } = await import('@app/contract');
  const now = await readExposures();
  const before = lockedExposures();
  for (const application of Object.keys({ ...before, ...now })) {
    const { wider, narrower } = compareExposures(before[application] ?? {}, now[application] ?? {});
    for (const line of wider) console.log(`wider     ${application}: ${line}`);
    for (const line of narrower) console.log(`narrower  ${application}: ${line}`);
  }
  await lockExposures(now);
});
