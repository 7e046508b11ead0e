// What create-sluice and `sluice upgrade` share. This file is JavaScript that any Node since 18 reads.
const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { basename, dirname, resolve } = require('node:path');

/** What a package.json names for the tarball of a package in a folder, which takes the place of the registry. */
function tarball(folder, name, version) {
  const file = resolve(folder, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
  if (!existsSync(file)) throw new Error(`${basename(file)} is not in ${dirname(file)}`);
  return `file:${file}`;
}

/** Runs the npm that runs this, which need not be the npm of PATH. Under pnpm and yarn it is the npm of PATH. */
function npm(cwd, args, output = 'inherit') {
  const { npm_execpath: own } = process.env;
  if (own !== undefined && /^np[mx].*\.c?js$/.test(basename(own)))
    return run(process.execPath, [own.replace(/npx-cli\.js$/, 'npm-cli.js'), ...args], cwd, output);
  return run('npm', args, cwd, output);
}

/** Returns what the program printed, if its output is `pipe`. */
function run(program, args, cwd, output = 'inherit') {
  const { status, error, stdout } = spawnSync(program, args, {
    cwd,
    stdio: ['ignore', output, 'inherit'],
    maxBuffer: 2 ** 28,
  });
  if (error !== undefined) throw error;
  if (status !== 0)
    throw new Error(`${basename(program)} ${args.map((one) => basename(one)).join(' ')} failed`);
  return String(stdout).trim();
}

module.exports = { tarball, npm, run };
