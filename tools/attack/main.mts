import { readFileSync } from 'node:fs';
import { attackAddresses } from './target/addresses.mts';
import { logIn } from './target/service-log.mts';
import { type Options, readOptions } from './options.mts';
import { isFatal, type Result, tableOf } from './target/results.mts';
import { attack, type Service } from './run.mts';
import { startPrograms } from './workspace-programs.mts';
import { listApplications, root, runNest, runScript } from '../../scripts/workspace.mts';

/**
 * Attacks the workspace's applications, or your own service: `npm run attack`, `npm run attack -- --url URL`. Prints a table and
 * the request that shows each failure, and exits with 1 after a failure or an unexpected skip.
 * docs/guides/test-like-production.md lists the flags.
 */
await runScript(async () => {
  const options = readOptions(process.argv.slice(2), process.env);
  const results =
    options.url === undefined ? await attackWorkspace(options) : await attackUrl(options, options.url);
  if (options.json) console.log(JSON.stringify(results, undefined, 2));
  if (results.some((result) => isFatal(result, options.maySkip))) process.exitCode = 1;
});

async function attackWorkspace(options: Options): Promise<Result[]> {
  const names = listApplications();
  if (!options.built) runNest(['build', ...names]);
  const programs = await startPrograms(root, names, await attackAddresses('http://127.0.0.1'));
  try {
    const results: Result[] = [];
    for (const [name, service] of programs.services) {
      if (!options.json) console.log(`\n${name}\n`);
      results.push(...(await attackOne(options, service)));
    }
    return results;
  } finally {
    await programs.stop();
  }
}

async function attackUrl(options: Options, url: string): Promise<Result[]> {
  const { openapi, accounts, secret, origin, logFile, gateways } = options;
  if (accounts === undefined) throw new TypeError('the accounts are read together with the URL');
  const document = openapi.startsWith('/') ? { path: openapi } : { text: readFileSync(openapi, 'utf8') };
  return attackOne(options, {
    url,
    document,
    accounts,
    secret,
    origin,
    gateways,
    log: logFile === undefined ? undefined : logIn(logFile),
    addresses: await attackAddresses(url),
  });
}

async function attackOne({ effort, only, json }: Options, service: Service): Promise<Result[]> {
  const onResult = json
    ? undefined
    : ({ area, check }: Result) => void process.stderr.write(`${area}: ${check}\n`);
  const results = await attack(service, { effort, only, onResult });
  if (!json) console.log(tableOf(results));
  return results;
}
