const { posix } = require('node:path');

/** How swc compiles a source: as tsc does by tsconfig.json. Types are checked once, by `npm run types`. */
const swc = { ...require('./scripts/swc.json'), module: { type: 'commonjs' } };

// The Nest CLI warns at every build that its webpack compiler is deprecated; decision 0002 has that. Other warnings pass.
const { warn } = console;
console.warn = (...args) => String(args[0]).includes('webpack compiler is deprecated') || warn(...args);

/**
 * Compiles each source by swc, keeps what did not change between the builds of a watch, puts the bundle where tsc and swc
 * put the compiled main.ts, below the entry file that all builders share, and writes source maps that name files as they
 * lie in the repository: stacks in production logs point at the code. An import of `./x.js` finds `x.ts`.
 */
module.exports = (options) => {
  const root = posix.dirname(options.output.filename);
  return {
    ...options,
    cache: { type: 'memory' },
    devtool: 'source-map',
    module: {
      rules: [{ test: /\.ts$/, exclude: /node_modules/, use: { loader: 'swc-loader', options: swc } }],
    },
    resolve: { ...options.resolve, extensionAlias: { '.js': ['.ts', '.js'] } },
    plugins: options.plugins.filter(({ constructor }) => constructor.name !== 'ForkTsCheckerWebpackPlugin'),
    output: {
      ...options.output,
      filename: posix.join(root, root, 'src/main.js'),
      devtoolModuleFilenameTemplate: '[absolute-resource-path]',
    },
  };
};
