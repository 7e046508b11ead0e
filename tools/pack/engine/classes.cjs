'use strict';

// The process that loads the classes of a program, for the command.
require('./switch-classes.cjs').reportClasses(process.argv[2], require('./index.cjs'));
