const { posix } = require('node:path');

/**
 * Puts the bundle where tsc and swc put the compiled main.ts, below the entry file that all builders share, and writes
 * source maps that name files as they lie in the repository: stacks in production logs point at the code.
 */
module.exports = (options) => {
  const root = posix.dirname(options.output.filename);
  return {
    ...options,
    devtool: 'source-map',
    output: {
      ...options.output,
      filename: posix.join(root, root, 'src/main.js'),
      devtoolModuleFilenameTemplate: '[absolute-resource-path]',
    },
  };
};
