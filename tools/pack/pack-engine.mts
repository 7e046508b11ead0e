import { join } from 'node:path';
import { packEngine } from './engine/pack.mts';
import { runScript } from '../../scripts/workspace.mts';

/** Writes the package that others install to `dist/packages/engine`, and its tarball beside it. */
await runScript(async () => {
  const tarball = await packEngine(join(import.meta.dirname, '../../dist/packages/engine'));
  process.stdout.write(`${tarball}\n`);
});
