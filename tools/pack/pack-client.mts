import { join } from 'node:path';
import { packClient } from './client/pack.mts';
import { runScript } from '../../scripts/workspace.mts';

/** Writes the package of the client to `dist/packages/client`, and its tarball beside it. */
await runScript(async () => {
  const tarball = await packClient(join(import.meta.dirname, '../../dist/packages/client'));
  process.stdout.write(`${tarball}\n`);
});
