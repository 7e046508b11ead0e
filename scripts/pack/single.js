// The entry of a single executable, beside what `npm run pack` writes: the program, or one of its commands with its options.
const [, , command] = process.argv;
const isCommand = command === 'migrate' || command === 'admin-reset';

if (isCommand) process.argv.splice(2, 1);
require(isCommand ? `./${command}.js` : './main.js');
