// The entry of the built program: `nest build` copies this file to dist/apps/api/main.js, whichever builder writes the
// rest. Source maps are enabled before anything else is loaded: a map is only read together with its file.
require('node:module').setSourceMapsSupport?.(true);
require('./apps/api/src/main.js');
