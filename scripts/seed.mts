import './load-sources.mts';
import { parseArgs } from 'node:util';
import { runScript } from './workspace.mts';
import { fill } from './seed/fill.mts';
import { withSeededProgram } from './seed/seeded-program.mts';

/** Fills an empty database with a small sample, for development: `npm run seed`. */
await runScript(async () => {
  parseArgs();
  await withSeededProgram('api', async (url) => {
    for (const line of await fill(url)) console.log(line);
  });
});
