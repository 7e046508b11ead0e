'use strict';

// What a program has to install, and the command that does. Written for every Node, as register.cjs is.
const remedies = {
  '@nestjs/common': 'npm install @nestjs/common',
  'class-transformer': 'npm install class-transformer@0.5',
  'class-validator': 'npm install class-validator',
};

// The first line of each CommonJS entry: without it, Node names a package, and not what needs it, nor the remedy.
function load(name, required) {
  try {
    required();
  } catch (error) {
    if (!isMissing(error, name)) throw error;
    const sentence = '@sluice/engine needs ' + name + ': ' + remedies[name];
    throw Object.assign(new Error(sentence), { code: error.code, cause: error });
  }
}

function isMissing(error, name) {
  const isNotFound = error.code === 'MODULE_NOT_FOUND' || error.code === 'ERR_MODULE_NOT_FOUND';
  return isNotFound && error.message.split('\n')[0].includes("'" + name);
}

module.exports = { isMissing, load, remedies };
