// Runs the packed program of the folder PACKED, and writes when it ends what V8 has compiled of it until then.
const { readFileSync, writeFileSync } = require('node:fs');
const { wrap } = require('node:module');
const { join } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');

const folder = process.env.PACKED;
const script = require(join(folder, 'main.js'));

process.once('exit', () => {
  // V8 accepts a cache only under the flags with which it was made, and the program changes this one once it has started.
  setFlagsFromString('--heap-growing-percent=0');
  const cachedData = script.createCachedData();
  const { cachedDataRejected } = new Script(wrap(readFileSync(join(folder, 'program.js'), 'latin1')), {
    cachedData,
  });
  if (cachedDataRejected)
    throw new Error('V8 rejects the code cache: the program changes a flag that is not reset here');
  writeFileSync(join(folder, 'program.cache'), cachedData);
});
