import './load-sources.mts';
import { lockedExposures, lockFile } from './exposures.mts';
import { type GeneratedFile, makeGeneratedFiles, staleFiles, writeGenerated } from './generated.mts';
import { runScript } from './workspace.mts';

/**
 * Writes every generated file and lists the files that changed: `npm run generate`. For the lock file, it also lists additions
 * and removals in the requests that the applications accept and the responses that they send. For a new application, it prints
 * the number of routes.
 */
await runScript(async () => {
  const stale = staleFiles(await makeGeneratedFiles());
  for (const file of stale) {
    if (file.path === lockFile) await printChange(file);
    writeGenerated(file);
    console.log(`written   ${file.path}`);
  }
  if (stale.length === 0) console.log('every generated file is up to date');
});

async function printChange({ text }: GeneratedFile): Promise<void> {
  const { compareExposures } = await import('@app/contract');
  const before = lockedExposures();
  const now: typeof before = JSON.parse(text);
  for (const application of Object.keys({ ...before, ...now })) {
    const routes = now[application] ?? {};
    if (before[application] === undefined) {
      console.log(`new       ${application}: ${Object.keys(routes).length} routes`);
      continue;
    }
    const { wider, narrower } = compareExposures(before[application], routes);
    for (const line of wider) console.log(`wider     ${application}: ${line}`);
    for (const line of narrower) console.log(`narrower  ${application}: ${line}`);
  }
}
