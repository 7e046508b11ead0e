import workspace from '../../../package.json' with { type: 'json' };

/** The version of every package; `CHANGELOG.md` beside this file has a section for each. */
export const { version } = workspace;

/**
 * The generated `package.json`. It is generated because the workspace has a single manifest. The repository members are added
 * from git.
 */
export const manifest = {
  name: '@sluice/engine',
  version,
  description: 'class-validator and class-transformer, compiled: the same results in a fraction of the time.',
  keywords: [
    'class-validator',
    'class-transformer',
    'nestjs',
    'validation',
    'serialization',
    'standard-schema',
  ],
  license: 'MIT',
  author: 'The Sluice authors',
  publishConfig: { access: 'public', provenance: true },
  type: 'commonjs',
  sideEffects: ['./register.cjs', './command.cjs', './classes.cjs'],
  engines: { node: '>=20' },
  bin: { 'sluice-engine': 'command.cjs' },
  main: './index.cjs',
  module: './index.mjs',
  types: './index.d.cts',
  exports: {
    '.': conditions('index'),
    './nest': conditions('nest'),
    './register': { types: './register.d.cts', default: './register.cjs' },
    './package.json': './package.json',
  },
  // For TypeScript's older resolution, which does not read `exports`.
  typesVersions: {
    '*': { nest: ['./nest.d.cts'], register: ['./register.d.cts'] },
  },
  peerDependencies: {
    '@nestjs/common': '>=10 <13',
    'class-transformer': '^0.5.0',
    'class-validator': '>=0.13.2 <0.16',
    'reflect-metadata': '>=0.1.12 <0.3',
  },
  peerDependenciesMeta: { '@nestjs/common': { optional: true } },
} as const;

/** Returns the export conditions. A bundler also takes the ES module for `require`, so that it drops unused code. */
function conditions(name: string) {
  return {
    module: `./${name}.mjs`,
    import: { types: `./${name}.d.mts`, default: `./${name}.mjs` },
    require: { types: `./${name}.d.cts`, default: `./${name}.cjs` },
  };
}
