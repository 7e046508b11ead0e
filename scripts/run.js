// Runs a script that is TypeScript: `node scripts/run.js scripts/routes.mts --json`. This file is JavaScript that any Node
// reads: one too old for the script would say ERR_UNKNOWN_FILE_EXTENSION of it, before its first line could say better.
// `--help` prints what the script does, unless it reads that option itself.
const { readFileSync } = require('node:fs');
const { resolve } = require('node:path');
const { pathToFileURL } = require('node:url');
const { engines } = require('../package.json');

const needed = engines.node.replace('>=', '');
const [, , script, ...options] = process.argv;
const text = readFileSync(script, 'utf8');
const asksForHelp = options.includes('--help') || options.includes('-h');

if (isOlder(process.versions.node, needed)) {
  console.error(
    `${script} needs Node ${needed} or newer; this is ${process.versions.node}. ` +
      'Run it by npm run, which brings a Node of its own, or put node_modules/.bin first in PATH.',
  );
  process.exitCode = 1;
} else if (asksForHelp && !text.includes('--help')) {
  void import('./help-of.mts').then(({ helpOf }) => console.log(helpOf(text)));
} else {
  const file = resolve(script);
  process.argv.splice(1, 2, file);
  void import(pathToFileURL(file).href);
}

function isOlder(version, than) {
  const [major, minor] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = than.split('.').map(Number);
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}
