// The entry of the built program: `nest build` copies this file to dist/apps/api/main.js, whichever builder writes the
// rest beside it. Source maps are turned on before anything else is loaded: a map is read with its file, or never.
require('node:module').setSourceMapsSupport?.(true);
require('./apps/api/src/main.js');
