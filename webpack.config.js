const { spawn } = require('node:child_process');
const { existsSync } = require('node:fs');
const { setPriority } = require('node:os');
const { posix } = require('node:path');

/** How swc compiles a source: as tsc does by tsconfig.json. It reads no types: {@link TypeErrors} does in development, and `npm run types`. */
const swc = { ...require('./scripts/swc.json'), module: { type: 'commonjs' } };

// The Nest CLI warns at every build that its webpack compiler is deprecated; decision 0003 has that. Other warnings pass.
const { warn } = console;
console.warn = (...args) => String(args[0]).includes('webpack compiler is deprecated') || warn(...args);

const isDevelopment = process.argv.includes('start') && process.env.NODE_ENV !== 'production';

/** Prints the type errors of an application while it runs, after each build. */
class TypeErrors {
  constructor(root) {
    const compilers = ['typescript-native', 'typescript'].map((name) => `node_modules/${name}/bin/tsc`);
    const state = `node_modules/.cache/types-${posix.basename(root)}.tsbuildinfo`;
    const project = [`-p`, `${root}/tsconfig.app.json`, '--noCheck', 'false'];
    this.args = [
      compilers.find(existsSync),
      ...project,
      '--noEmit',
      '--incremental',
      '--tsBuildInfoFile',
      state,
    ];
    process.on('exit', () => this.check?.kill());
  }

  apply({ hooks }) {
    hooks.done.tap('TypeErrors', () => {
      this.check?.kill();
      this.check = spawn(process.execPath, this.args, { stdio: ['ignore', 'inherit', 'inherit'] });
      setPriority(this.check.pid, 10);
    });
  }
}

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
    plugins: [
      ...options.plugins.filter(({ constructor }) => constructor.name !== 'ForkTsCheckerWebpackPlugin'),
      ...(isDevelopment ? [new TypeErrors(root)] : []),
    ],
    output: {
      ...options.output,
      filename: posix.join(root, root, 'src/main.js'),
      devtoolModuleFilenameTemplate: '[absolute-resource-path]',
    },
  };
};
