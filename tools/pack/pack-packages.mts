import { join } from 'node:path';
import { packAll } from './all.mts';
import { runScript } from '../../scripts/workspace.mts';

/** Writes every published package to `dist/packages`, with the tarballs beside them: `npm run pack packages`. */
await runScript(async () => {
  const tarballs = await packAll(join(import.meta.dirname, '../../dist/packages'));
  process.stdout.write(`${tarballs.join('\n')}\n`);
});
