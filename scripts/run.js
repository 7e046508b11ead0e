// Runs a program of the workspace on its own Node: `node scripts/run.js [options of Node] scripts/routes.mts --json`. That Node
// is one of the dependencies (docs/decisions/0003-pinned-node.md); it is found here and not by a link in
// node_modules/.bin, which npm 9 and 10 remove. This file is JavaScript that any Node since 16 reads.
// `--help` prints what a script does, unless it reads that option itself.
const { spawn } = require('node:child_process');
const { existsSync, readdirSync, readFileSync } = require('node:fs');
const { constants } = require('node:os');
const { delimiter, dirname, extname, join } = require('node:path');
// The package of the commands has no groups.
const { engines, scriptGroups } = { scriptGroups: {}, ...require('../package.json') };
const packages = require('../node-binaries.json');

/** Libraries are TypeScript without a manifest of their own. */
const flags = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', '--disable-warning=ExperimentalWarning'];

const given = scriptOf(process.argv.slice(2));
const at = given.findIndex((argument) => !argument.startsWith('-'));
// `--env` reads the settings file `.env`, if there is one. For `--env-file-if-exists` Node prints a line where there is none.
const optionsOf = (option) =>
  option === '--env' ? ['--env-file=.env'].filter(() => existsSync('.env')) : [option];
const [options, script, args] = [given.slice(0, at).flatMap(optionsOf), given[at], given.slice(at + 1)];
const isInstalled = [join(__dirname, '..'), process.cwd()].some(hasPackages);
const node = isInstalled ? findNode() : undefined;
if (node === undefined) {
  console.error(isInstalled ? unsupported() : 'Run `npm ci` first: the dependencies are not installed.');
  process.exitCode = 1;
} else {
  // Programs that it starts by the name `node` run on the same one.
  process.env.PATH = `${dirname(node)}${delimiter}${process.env.PATH}`;
  become(node, [
    ...flags,
    ...options,
    ...(asksForHelp() ? [join(__dirname, `help-of${extname(script)}`), script] : [script, ...args]),
  ]);
}

/** Finds a script of a group, such as `bench store --quick`, and passes what follows. A group may have a script without a name. */
function scriptOf(words) {
  const [first, name, ...others] = words;
  const group = scriptGroups[first];
  if (group === undefined) return words;
  if (Object.keys(group).includes(name)) return [...group[name].split(' '), ...others];
  if (group[''] !== undefined) return [...group[''].split(' '), ...words.slice(1)];
  console.error(`name one of ${Object.keys(group).join(', ')}: npm run ${first} -- NAME`);
  return process.exit(1);
}

/** Node writes its cache to `node_modules` before anything is installed there. */
function hasPackages(folder) {
  const place = join(folder, 'node_modules');
  return existsSync(place) && readdirSync(place).some((name) => !name.startsWith('.'));
}

/** The Node of the dependencies if this machine can run it, else the one that runs this, if it is new enough. */
function findNode() {
  const { platform, arch } = process;
  const suffix = `-${platform === 'win32' ? 'win' : platform}-${arch}`;
  const name = Object.keys(packages).find((one) => one.endsWith(suffix));
  const folder = name && folderOf(name);
  const file = folder && join(folder, packages[name].file);
  if (file && existsSync(file) && !isMusl()) return file;
  return isNewEnough(process.versions.node) ? process.execPath : undefined;
}

/** Of an installed package; of a binary for another system, nothing is installed. */
function folderOf(name) {
  const places = require.resolve.paths(name).map((place) => join(place, name));
  return places.find((place) => existsSync(place));
}

function isMusl() {
  process.report.excludeNetwork = true;
  return process.platform === 'linux' && process.report.getReport().header.glibcVersionRuntime === undefined;
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = engines.node.replace('>=', '').split('.').map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

function unsupported() {
  const system = `${process.platform}-${process.arch}${isMusl() ? ' with musl' : ''}`;
  const needed = engines.node.replace('>=', '');
  return (
    `${script} needs Node ${needed} or newer; this is ${process.versions.node}, and the dependencies have none for ${system}. ` +
    'Install it, or run npm ci without --omit=optional on Linux with glibc, macOS or Windows.'
  );
}

function asksForHelp() {
  const asked = args.includes('--help') || args.includes('-h');
  return asked && /\.m[jt]s$/.test(script) && !readFileSync(script, 'utf8').includes('--help');
}

/** Replaces this process where the system and its Node can do that; else runs a child, with its signals and its end. */
function become(file, argv) {
  if (process.execve && process.platform !== 'win32') process.execve(file, [file, ...argv], process.env);
  const child = spawn(file, argv, { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
