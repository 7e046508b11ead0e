'use strict';

// For `node --import @sluice/engine/register`, and for `--require`. Written for every Node, so that an old one can be told.
const { isMissing, remedies } = require('./peers.cjs');

const oldest = 20;

if (Number(process.versions.node.split('.')[0]) < oldest) {
  warn('Node ' + oldest + ' or later is needed, and this is ' + process.versions.node);
} else {
  try {
    require('./use-engine.cjs').useEngine();
  } catch (error) {
    const missing = Object.keys(remedies).find((name) => isMissing(error, name));
    if (missing === undefined) throw error;
    warn(missing + ' is not installed: ' + remedies[missing]);
  }
}

function warn(reason) {
  const sentence = '@sluice/engine is not used: ' + reason + '. NestJS and its libraries run as without it.';
  process.emitWarning(sentence, { type: 'SluiceWarning', code: 'SLUICE_NOT_COMPILED' });
}
