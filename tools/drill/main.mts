import '../../scripts/load-sources.mts';
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Drill } from './drill.mts';
import { drills } from './drills.mts';
import { listOf, printResult, sumUp } from './report.mts';
import { type DrillResult, runDrill } from './run.mts';
import { readContract } from './environment/read-contract.mts';
import { type StoreName, storeNames } from './environment/stores.mts';
import { listApplications, root, runScript } from '../../scripts/workspace.mts';

/**
 * Causes production faults in a packed application and reports which expectations held: `npm run pack api && npm run drill`. It
 * uses a resource that it finds in the OpenAPI document.
 *
 * Names choose drills, `--app` a different application than the first, and `--store` a store. `--quick` makes fewer and shorter
 * faults, `--list` explains every drill, `--json` prints the results as JSON, and `--program` names a different `main.js`.
 */
await runScript(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      store: { type: 'string' },
      quick: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      app: { type: 'string', default: listApplications()[0] ?? 'api' },
      program: { type: 'string' },
    },
  });
  if (values.list) return console.log(listOf(drills));
  const chosen = choose(positionals);
  const stores = storesOf(values.store);
  const main = resolve(values.program ?? join(root, `dist/packed/${values.app}/main.js`));
  if (!existsSync(main))
    throw new Error(`there is no ${relative(process.cwd(), main)}: run npm run pack ${values.app} first`);
  const contract = await readContract(main);
  const results: DrillResult[] = [];
  for (const drill of chosen) {
    for (const store of stores.filter((name) => drill.stores.includes(name))) {
      const result = await runDrill(drill, store, { main, contract, isQuick: values.quick });
      results.push(result);
      if (!values.json) printResult(result);
    }
  }
  console.log(values.json ? JSON.stringify(results, undefined, 2) : sumUp(results));
  if (results.some(({ result }) => result === 'FAIL')) process.exitCode = 1;
});

function choose(names: readonly string[]): readonly Drill[] {
  const unknown = names.find((name) => !drills.some((drill) => drill.name === name));
  if (unknown !== undefined)
    throw new Error(`there is no drill ${unknown}: name one of ${drills.map(({ name }) => name).join(', ')}`);
  return names.length === 0 ? drills : drills.filter(({ name }) => names.includes(name));
}

function storesOf(chosen: string | undefined): readonly StoreName[] {
  const stores = storeNames.filter((name) => chosen === undefined || name === chosen);
  if (stores.length === 0) throw new Error(`--store is ${storeNames.join(' or ')}`);
  return stores;
}
