import './load-sources.mts';
import { lockedExposures, lockFile } from './exposures.mts';
import { type GeneratedFile, makeGeneratedFiles, staleFiles, writeGenerated } from './generated.mts';
import { runScript } from './workspace.mts';

/**
 * Writes every file that is made from the code, and names those that changed: `npm run generate`. Of the lock it says what
 * the applications now let in and out that they did not, and the other way round.
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
    const { wider, narrower } = compareExposures(before[application] ?? {}, now[application] ?? {});
    for (const line of wider) console.log(`wider     ${application}: ${line}`);
    for (const line of narrower) console.log(`narrower  ${application}: ${line}`);
  }
}
