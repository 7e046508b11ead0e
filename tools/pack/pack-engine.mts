import { join } from 'node:path';
import { packEngine } from './engine/pack.mts';
import { sizesOf } from './engine/sizes.mts';
import { runScript } from '../../scripts/workspace.mts';

/** Writes the published engine to `dist/packages/engine`, and its tarball beside it. Prints the bundled sizes. */
await runScript(async () => {
  const folder = join(import.meta.dirname, '../../dist/packages/engine');
  process.stdout.write(`${await packEngine(folder)}\n`);
  for (const { name, bytes, compressed } of await sizesOf(folder))
    process.stdout.write(`${name}: ${kilobytes(bytes)} minified, ${kilobytes(compressed)} compressed\n`);
});

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(0)} kB`;
}
