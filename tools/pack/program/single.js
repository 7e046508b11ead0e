// The entry of a single executable: what `npm run pack` writes, as files of its own.
require('./main.js');
