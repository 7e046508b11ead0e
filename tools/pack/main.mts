import '../../scripts/load-sources.mts';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundle } from './program/bundle.mts';
import { writeCodeCache } from './program/code-cache.mts';
import { writeChecksums } from './program/checksums.mts';
import { copyUnbundled, writeManifest } from './program/unbundled.mts';
import { writeSbom } from './program/sbom.mts';
import { buildSingle } from './program/single.mts';
import { verify, verifySingle } from './program/verify.mts';
import { readProgram } from '../../scripts/programs.mts';
import { listApplications, root, runNest, runScript } from '../../scripts/workspace.mts';

/**
 * Packs a single application into a folder that needs only Node: `npm run pack api` writes `dist/packed/api`. The script starts
 * and calls the program before it succeeds. `-- --single` also writes a single executable into `dist/packed/api-single`.
 */
await runScript(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { single: { type: 'boolean' } },
  });
  const [application = '', ...others] = positionals;
  const names = listApplications();
  if (!names.includes(application) || others.length > 0)
    throw new Error(`name one application: npm run pack ${names.join(' or ')}`);
  const folder = join(root, 'dist/packed', application);
  rmSync(folder, { recursive: true, force: true });
  runNest(['build', application]);
  const bundled = await bundle(application, folder);
  const unbundled = copyUnbundled(folder);
  const { commands = [] } = await readProgram(application);
  writeManifest(folder, application, unbundled, commands);
  const unbundledRefs = [...unbundled].map(([name, version]) => `${name}@${version}`);
  writeSbom(folder, new Set([...bundled, ...unbundledRefs]));
  await writeCodeCache(folder);
  const { called, signedIn } = await verify(folder);
  console.log(`called ${called} operations of its document, and ${signedIn} of them signed in`);
  const { files, bytes } = writeChecksums(folder);
  console.log(`packed in dist/packed/${application}: ${files} files, ${Math.round(bytes / 1e6)} MB`);
  if (values.single) await packSingle(application, folder);
});

async function packSingle(application: string, packed: string): Promise<void> {
  const folder = join(root, `dist/packed/${application}-single`);
  rmSync(folder, { recursive: true, force: true });
  const executable = buildSingle(application, packed, folder);
  await verifySingle(executable);
  writeChecksums(folder);
  const megabytes = Math.round(statSync(executable).size / 1e6);
  console.log(`packed in dist/packed/${application}-single/${application}: one executable, ${megabytes} MB`);
}
