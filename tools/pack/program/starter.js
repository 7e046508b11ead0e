// The entry of a packed folder, there `main.js`: runs program.js from program.cache, the code that V8 compiled of it when it was
// packed. Another version of Node rejects the cache and compiles program.js itself.
const { existsSync, readFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const { Script } = require('node:vm');

const filename = join(__dirname, 'program.js');
const cache = join(__dirname, 'program.cache');
const program = new Module(filename, module);
// Node reads the source map of what a module compiles, and none of a script.
Module.setSourceMapsSupport?.(true);
program['_compile']('//# sourceMappingURL=program.js.map', filename);
// ASCII alone, as `npm run pack` checks.
const script = new Script(Module.wrap(readFileSync(filename, 'latin1')), {
  filename,
  cachedData: existsSync(cache) ? readFileSync(cache) : undefined,
});
script.runInThisContext()(program.exports, require, program, filename, __dirname);
module.exports = script;
