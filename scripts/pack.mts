import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './pack/bundle.mts';
import { writeChecksums } from './pack/checksums.mts';
import { copyUnbundled, writeManifest } from './pack/unbundled.mts';
import { writeSbom } from './pack/sbom.mts';
import { verify } from './pack/verify.mts';
import { listApplications, root, runNest, runScript } from './workspace.mts';

/**
 * Packs one application into a folder that needs Node and nothing else: `npm run pack api` writes `dist/packed/api`. It is
 * started and called before the script succeeds.
 */
await runScript(async () => {
  const [application = '', ...others] = process.argv.slice(2);
  const names = listApplications();
  if (!names.includes(application) || others.length > 0)
    throw new Error(`name one application: npm run pack ${names.join(' or ')}`);
  const folder = join(root, 'dist/packed', application);
  rmSync(folder, { recursive: true, force: true });
  runNest(['build', application]);
  const bundled = await bundle(application, folder);
  const unbundled = copyUnbundled(folder);
  writeManifest(folder, application, unbundled);
  const unbundledRefs = [...unbundled].map(([name, version]) => `${name}@${version}`);
  writeSbom(folder, new Set([...bundled, ...unbundledRefs]));
  await verify(application, folder);
  const { files, bytes } = writeChecksums(folder);
  console.log(`packed in dist/packed/${application}: ${files} files, ${Math.round(bytes / 1e6)} MB`);
});
