#!/usr/bin/env node
// A command of a workspace: `sluice new resource ticket title:text`. It runs on the Node that comes with this package, from the
// folder of the workspace. This file is JavaScript that any Node since 16 reads.
const { existsSync } = require('node:fs');
const { dirname, join } = require('node:path');

const scripts = {
  'new app': 'tools/create/new-app.mjs',
  'new field': 'tools/create/new-field.mjs',
  'new lib': 'tools/create/new-lib.mjs',
  'new plugin': 'tools/create/new-plugin.mjs',
  'new resource': 'tools/create/new-resource.mjs',
  'new rule': 'tools/create/new-rule.mjs',
  generate: 'scripts/generate.mjs',
  routes: 'scripts/routes.mjs',
  check: 'scripts/contract-check.mjs',
  pack: 'tools/pack/main.mjs',
  attack: 'tools/attack/main.mjs',
  drill: 'tools/drill/main.mjs',
  'pack client': 'tools/pack/pack-client.mjs',
  seed: 'tools/create/seed-samples.mjs',
};
/** The commands of a program, on the database of DATABASE_URL. */
const commands = {
  migrate: 'migrate',
  backup: 'backup',
  restore: 'restore',
  'check-store': 'check-store',
  keys: 'keys',
  audit: 'audit:check',
  'admin-reset': 'admin:reset',
};

/** The database is that of npm start. */
const envFile = '--env';

const overview = `sluice COMMAND [ARGUMENTS], in a workspace; each command has its own --help:

  new app NAME                     creates an application
  new resource NAME FIELD...       creates a resource of an application
  new field RESOURCE FIELD...      adds fields to a resource
  new lib NAME                     creates a library
  new plugin NAME                  creates a plugin of an application
  new rule NAME PATTERN EXAMPLE    creates a rule of an application
  generate                         writes what is derived from the code: OpenAPI documents, locks, descriptions
  routes                           prints the routes of every application
  check                            checks the contract of every application
  migrate, backup, restore, check-store, keys, audit, admin-reset
                                   commands of a program, on the database of DATABASE_URL
  seed [--app APPLICATION]         adds rows of each resource, for development
  pack APPLICATION                 packs an application into a folder that needs Node alone
  pack client [--app APPLICATION]  packs a typed client of an application
  attack                           attacks the applications, or a service of yours by --url
  drill [NAME...] [--list]         injects the faults of production into a packed application
  upgrade [VERSION]                moves the workspace to another release
  run FILE [ARGUMENTS]             runs a JavaScript file, such as a tool of node_modules, on the Node of the workspace`;

const [first = '--help', second = '', ...others] = process.argv.slice(2);
const pair = `${first} ${second}`;
const rest = process.argv.slice(3);

if (Object.hasOwn(scripts, pair)) run(join(__dirname, scripts[pair]), others);
else if (first === 'seed') run(envFile, [join(__dirname, scripts.seed), ...rest]);
else if (Object.hasOwn(scripts, first)) run(join(__dirname, scripts[first]), rest);
else if (Object.hasOwn(commands, first))
  run(envFile, [join(__dirname, 'scripts/command.mjs'), commands[first], ...rest]);
else if (first === 'upgrade') upgrade(rest);
else if (first === 'run' && second !== '') run(second, others);
else if (['--help', '-h', 'help'].includes(first)) console.log(overview);
else fail(`${pair.trim()} is not a command.\n\n${overview}`);

/** In the folder of the workspace, as npm runs its scripts. */
function run(script, args) {
  if (!enterWorkspace()) return;
  process.argv.splice(2, process.argv.length, script, ...args);
  require('./scripts/run.js');
}

/** On the Node that runs this: the one that comes with this package is replaced. */
function upgrade(args) {
  if (enterWorkspace()) void import('./upgrade.mjs').then(({ command }) => command(args));
}

function enterWorkspace() {
  const root = rootAbove(process.cwd());
  if (root === undefined) fail(`${process.cwd()} is in no workspace: there is no nest-cli.json`);
  else process.chdir(root);
  return root !== undefined;
}

function rootAbove(folder) {
  if (existsSync(join(folder, 'nest-cli.json'))) return folder;
  return folder === dirname(folder) ? undefined : rootAbove(dirname(folder));
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
