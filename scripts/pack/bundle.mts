import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type BuildOptions, type Metafile } from 'esbuild';
import { root } from '../workspace.mts';

/**
 * The packages that are not bundled. class-validator and class-transformer are compared with their own sources, function by
 * function, before code is compiled in their place; argon2 is a binary; the files of Swagger UI are read when they are asked for.
 */
export const unbundledPackages = [
  'class-validator',
  'class-transformer',
  '@node-rs/argon2',
  'swagger-ui-dist',
] as const;

/** Packages that Nest and others load only if they are installed. */
const optionalPackages = [
  '@nestjs/microservices',
  '@nestjs/websockets',
  '@nestjs/platform-express',
  '@fastify/static',
  '@fastify/view',
  'pg-native',
];

const options: BuildOptions = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  keepNames: true,
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  logLevel: 'error',
  external: [...unbundledPackages, ...optionalPackages].flatMap((name) => [name, `${name}/*`]),
  // Before anything else is loaded: a source map is only read together with its file.
  banner: {
    js: "require('node:module').setSourceMapsSupport?.(true);const bundleUrl=require('node:url').pathToFileURL(__filename).href;",
  },
  define: { 'import.meta.url': 'bundleUrl' },
};

/**
 * Writes `main.js`, from what the default builder has built, `migrate.js`, `keys.js` and `admin-reset.js`.
 *
 * @returns the packages that are in them, as `fastify@5.12.8`
 */
export async function bundle(application: string, folder: string): Promise<readonly string[]> {
  const entries = {
    main: join(root, `dist/apps/${application}/apps/${application}/src/main.js`),
    migrate: join(root, 'scripts/pack/migrate.ts'),
    keys: join(root, 'scripts/pack/keys.ts'),
    'admin-reset': join(root, 'scripts/pack/admin-reset.ts'),
  };
  const packages = new Set<string>();
  for (const [name, entry] of Object.entries(entries)) {
    const outfile = join(folder, `${name}.js`);
    const tsconfig = join(root, 'tsconfig.json');
    const { metafile } = await build({ ...options, entryPoints: [entry], outfile, tsconfig });
    for (const one of packagesIn(metafile)) packages.add(one);
  }
  return [...packages];
}

function packagesIn(metafile: Metafile | undefined): readonly string[] {
  const folders = Object.keys(metafile?.inputs ?? {}).flatMap(
    (path) => /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [],
  );
  return [...new Set(folders)].map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return `${name}@${version}`;
  });
}
