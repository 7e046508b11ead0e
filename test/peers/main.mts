import '../../scripts/load-sources.mts';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { runScript } from '../../scripts/workspace.mts';
import { packEngine } from '../../tools/pack/engine/pack.mts';
import { describeRun, type Run, runSuites, TABLE } from './suites.mts';
import { SOURCES, type Versions, VERSIONS } from './versions.mts';

/**
 * Runs the suites of class-validator and class-transformer on the libraries and on the engine, for each supported version:
 * `npm run test:peers -- FOLDER…`. A folder is a checkout of one of their repositories, such as
 * `git clone --branch v0.14.1 https://github.com/typestack/class-validator`.
 *
 * Prints the number of tests that pass on each, and names the tests whose results differ, which set the exit code to 1. For
 * class-validator, the built-in rules are also compared with the installed validator.js over generated values.
 */
await runScript(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  if (positionals.length === 0) throw new Error('name a checkout: npm run test:peers -- FOLDER');
  const folder = await mkdtemp(join(tmpdir(), 'peers-'));
  try {
    const tarball = await packEngine(join(folder, 'engine'));
    const runs: Run[] = [];
    for (const checkout of positionals)
      for (const versions of await versionsFor(checkout))
        runs.push(await install(checkout, versions, join(folder, `${runs.length}`), tarball));
    const results = await runSuites(runs);
    process.stdout.write(`${TABLE}${results.map(describeRun).join('')}`);
    // Vitest sets it, as tests of a suite fail on other versions than its own.
    process.exitCode = results.some(({ differences }) => differences.length > 0) ? 1 : 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

async function versionsFor(checkout: string): Promise<readonly Versions[]> {
  const versions = VERSIONS[await nameOf(checkout)];
  if (!versions) throw new Error(`${checkout} is no checkout of class-validator or class-transformer`);
  return versions;
}

async function nameOf(folder: string): Promise<string> {
  return (JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { name: string }).name;
}

/** Installs versions and the packed engine beside a copy of the tests. */
async function install(checkout: string, versions: Versions, folder: string, tarball: string): Promise<Run> {
  const library = await nameOf(checkout);
  const { validator, ...libraries } = versions;
  const dependencies = { ...libraries, validator, 'reflect-metadata': '0.2.2', '@sluice/engine': tarball };
  await mkdir(folder);
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, dependencies, overrides: { validator: '$validator' } }),
  );
  const options = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps'];
  await promisify(execFile)('npm', options, { cwd: folder });
  await cp(join(checkout, 'test'), join(folder, 'test'), { recursive: true });
  const inside = (SOURCES[library] ?? []).map((file) => `export * from '${file}';\n`).join('');
  for (const [subject, name] of Object.entries({ library, engine: '@sluice/engine' }))
    await writeFile(join(folder, `${subject}.mjs`), `export * from '${name}';\n${inside}`);
  const installed = JSON.parse(
    await readFile(join(folder, 'node_modules/validator/package.json'), 'utf8'),
  ) as {
    version: string;
  };
  return {
    folder,
    suite: basename(resolve(checkout)),
    library,
    versions: { ...versions, validator: installed.version },
  };
}
