#!/usr/bin/env node
'use strict';

// The command of the package. Written for every Node, so that an old one can be told.
const oldest = 20;

if (Number(process.versions.node.split('.')[0]) < oldest) {
  console.error('@sluice/engine needs Node ' + oldest + ' or later; this is ' + process.versions.node + '.');
  process.exitCode = 1;
} else {
  void require('./switch-command.cjs').runCommand(process.argv.slice(2));
}
