#!/usr/bin/env node
// Creates a workspace: `create-sluice shop`. This file is JavaScript that any Node since 18 reads.
const {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} = require('node:fs');
const { join, resolve } = require('node:path');
const { parseArgs } = require('node:util');
const { npm, run, tarball } = require('./npm.cjs');
const { version } = require('./package.json');
const manifest = require('./workspace.json');

const help = `create-sluice NAME [--empty] [--no-install] [--packages FOLDER]

  NAME                the folder and the name of the workspace: lowercase words, joined by dashes
  --empty             no sample resource
  --no-install        writes the files of the workspace only, without its dependencies and its first application
  --packages FOLDER   takes the packages of Sluice from their tarballs in a folder, instead of the registry`;

const options = {
  empty: { type: 'boolean', default: false },
  'no-install': { type: 'boolean', default: false },
  packages: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
};

try {
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  if (values.help) console.log(help);
  else create(positionals, values);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

function create([name = '', ...others], { empty, packages, 'no-install': isBare }) {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || others.length > 0)
    throw new Error(`Name one workspace: lowercase words, joined by dashes, such as my-shop.\n\n${help}`);
  const folder = resolve(name);
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error(`${folder} is not empty.`);
  const isNew = !existsSync(folder);
  try {
    fill(folder, name, { empty, packages, isBare });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    if (!isNew) mkdirSync(folder);
    throw new Error(`${error.message}: nothing was created.`, { cause: error });
  }
  if (!isBare) console.log(`\ncreated ${name}. Run it: cd ${name} && npm start`);
}

function fill(folder, name, { empty, packages, isBare }) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(withPackages(name, packages), null, 2)}\n`);
  const place = npm(folder, ['prefix'], 'pipe');
  if (realpathSync(place) !== realpathSync(folder))
    throw new Error(
      `npm would install ${name} into ${place}, because "workspaces" in its package.json matches it. Create it in another folder`,
    );
  copy(join(__dirname, 'template'), folder, name);
  if (isBare) return;
  npm(folder, ['install', '--no-audit']);
  if (empty) sluice(folder, 'new', 'app', 'api');
  else {
    sluice(folder, 'new', 'app', 'api', '--no-generate');
    sluice(folder, 'new', 'resource', 'note', 'title:text', 'body:text?', '--owned');
  }
}

/** Files whose names begin with a dot have an underscore in a package, from which npm leaves some of them out. */
function copy(from, to, name) {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name.replace(/^_/, '.'))];
    if (entry.isDirectory()) copy(source, target, name);
    else writeFileSync(target, readFileSync(source, 'utf8').replaceAll('__NAME__', name));
  }
}

function withPackages(name, packages) {
  const place = (dependencies) =>
    Object.fromEntries(
      Object.entries(dependencies).map(([one, wanted]) => [
        one,
        packages !== undefined && one.startsWith('@sluice/') ? tarball(packages, one, version) : wanted,
      ]),
    );
  const { dependencies, devDependencies, ...others } = manifest;
  return { name, ...others, dependencies: place(dependencies), devDependencies: place(devDependencies) };
}

function sluice(cwd, ...args) {
  run(process.execPath, [join(cwd, 'node_modules/@sluice/cli/sluice.cjs'), ...args], cwd);
}
