import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import binaries from '../../../node-binaries.json' with { type: 'json' };
import workspace from '../../../package.json' with { type: 'json' };
import { compile } from '../modules/compile.mts';
import { packFolder } from '../modules/pack.mts';
import { license, version, versionsOf } from '../modules/versions.mts';
import { packUpgrade } from './upgrade.mts';
import tsconfig from './tsconfig.json' with { type: 'json' };

const root = join(import.meta.dirname, '../../..');

/** The commands' modules, relative to the workspace. */
const entries = tsconfig.files.map((path) => path.replace('../../../', '').replace(/\.mts$/, ''));

/** The files that are copied as they are: JavaScript, JSON, drill configuration, and the sources for each packed client. */
const copied = [
  'scripts/run.js',
  'scripts/swc.json',
  'webpack.config.js',
  'node-binaries.json',
  'libs/client/src',
  'deploy/haproxy/haproxy.cfg',
  'deploy/nginx/sluice.conf.template',
  'deploy/observe/alerts.yml',
  'tools/create/templates',
  ...['code-cache.js', 'single.js', 'starter.js'].map((name) => `tools/pack/program/${name}`),
];

/** The packages that the workspace provides, so that each exists once: the libs, and the compiler and formatter. */
const shared = ['prettier', 'typescript'];

/**
 * Compiles the commands and packs them.
 *
 * @param folder the package folder, which is emptied
 * @returns the tarball's path, beside the folder
 */
export function packCli(folder: string): Promise<string> {
  const files = ['tools/pack/cli/README.md', 'tools/pack/cli/sluice.cjs'];
  return packFolder({ directory: 'tools/create', files, fill }, folder);
}

async function fill(folder: string): Promise<object> {
  const imported = await compile(
    { tsconfig: 'tools/pack/cli/tsconfig.json', entries, ending: '.mjs', packageOf: packaged },
    folder,
  );
  for (const path of copied)
    await cp(join(root, path), join(folder, path), {
      recursive: true,
      filter: (source) => !source.endsWith('.spec.ts'),
    });
  await packUpgrade(folder);
  return manifestOf([...imported.keys()]);
}

/** A lib is a subpath of its package. */
function packaged(specifier: string): string | undefined {
  const [, library, testing = ''] = /^@app\/([^/]+)(\/testing)?$/.exec(specifier) ?? [];
  if (library === undefined) return undefined;
  return library === 'service' ? `@sluice/service${testing}` : `@sluice/service/${library}${testing}`;
}

function manifestOf(imported: readonly string[]) {
  const own = imported.filter((name) => name !== '@sluice/service' && !shared.includes(name));
  return {
    name: '@sluice/cli',
    version,
    description: 'The commands of a workspace on @sluice/service: generators, checks, migrations, backups.',
    license,
    author: 'The Sluice authors',
    publishConfig: { access: 'public', provenance: true },
    type: 'commonjs',
    engines: workspace.engines,
    bin: { sluice: 'sluice.cjs' },
    dependencies: versionsOf([...own, 'openapi-fetch', 'swc-loader']),
    optionalDependencies: versionsOf(Object.keys(binaries)),
    peerDependencies: { '@sluice/service': version, ...versionsOf(shared, '^') },
  };
}
