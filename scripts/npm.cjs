// What create-sluice and `sluice upgrade` share. This file is JavaScript that any Node since 18 reads.
const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { basename, dirname, resolve } = require('node:path');

/** What a package.json names for the tarball of a package in a folder, which takes the place of the registry. */
function tarball(folder, name, version) {
  const file = resolve(folder, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
  if (!existsSync(file)) throw new Error(`${basename(file)} is not in ${dirname(file)}.`);
  return `file:${file}`;
}

/** The npm that runs this, which need not be the one of PATH. */
function npm(cwd, args, output = 'inherit') {
  const { npm_execpath: own } = process.env;
  if (own !== undefined && /\.c?js$/.test(own))
    run(process.execPath, [own.replace(/npx-cli\.js$/, 'npm-cli.js'), ...args], cwd, output);
  else run('npm', args, cwd, output);
}

function run(program, args, cwd, output = 'inherit') {
  const { status, error } = spawnSync(program, args, { cwd, stdio: ['ignore', output, 'inherit'] });
  if (error !== undefined) throw error;
  if (status !== 0)
    throw new Error(`${basename(program)} ${args.map((one) => basename(one)).join(' ')} failed.`);
}

module.exports = { tarball, npm, run };
