// Runs the packed program of the folder PACKED, and writes when it ends what V8 has compiled of it until then.
const { readFileSync, writeFileSync } = require('node:fs');
const { wrap } = require('node:module');
const { join } = require('node:path');
const { Script } = require('node:vm');

const folder = process.env.PACKED;
const script = require(join(folder, 'main.js'));

process.once('exit', () => {
  const cachedData = script.createCachedData();
  const { cachedDataRejected } = new Script(wrap(readFileSync(join(folder, 'program.js'), 'latin1')), {
    cachedData,
  });
  if (cachedDataRejected) throw new Error('V8 rejects the code cache: the program changes a V8 flag');
  writeFileSync(join(folder, 'program.cache'), cachedData);
});
