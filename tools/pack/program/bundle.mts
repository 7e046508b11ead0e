import { isAscii } from 'node:buffer';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { root } from '../../../scripts/workspace.mts';

const { dependencies }: { dependencies: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
const isDependency = (name: string) => Object.hasOwn(dependencies, name);

/**
 * The packages that are not bundled. class-validator and class-transformer are compared with their own sources, function by
 * function, before code is compiled in their place; argon2 is a binary; the files of Swagger UI are read when they are asked for; `ws` is
 * looked up by its name at run time, in a program that depends on it.
 */
export const unbundledPackages: readonly string[] = [
  'class-validator',
  'class-transformer',
  '@node-rs/argon2',
  'swagger-ui-dist',
  ...['ws'].filter(isDependency),
];

/**
 * Packages that Nest and `pg` load only if they are installed: a program that depends on one has it in its bundle, and so has what another
 * package depends on.
 */
const optionalPackages = [
  '@nestjs/microservices',
  '@nestjs/websockets',
  '@nestjs/platform-socket.io',
  '@nestjs/platform-express',
  '@fastify/static',
  '@fastify/view',
  'pg-native',
  '@apollo/subgraph',
  '@mercuriusjs/gateway',
  'ts-morph',
].filter((name) => !isDependency(name));

const leaveOptional: Plugin = {
  name: 'optional packages',
  setup: (bundling) =>
    bundling.onResolve({ filter: /^[@a-z]/ }, ({ path, importer }) => {
      const isLeft = optionalPackages.some((name) => path === name || path.startsWith(`${name}/`));
      return isLeft && /\/node_modules\/(?:@nestjs|pg)\//.test(importer)
        ? { path, external: true }
        : undefined;
    }),
};

const options = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  keepNames: true,
  sourcemap: true,
  sourcesContent: false,
  // Comments are a third of the text, and contain what is not ASCII; those about licences are written beside the bundle.
  minifyWhitespace: true,
  legalComments: 'external',
  metafile: true,
  logLevel: 'error',
  external: unbundledPackages.flatMap((name) => [name, `${name}/*`]),
  plugins: [leaveOptional],
  // A script has no module loader of its own.
  supported: { 'dynamic-import': false },
  banner: {
    js: "const bundleFile=__filename,bundleFolder=__dirname,bundleUrl=require('node:url').pathToFileURL(bundleFile).href;",
  },
  define: {
    'import.meta.url': 'bundleUrl',
    'import.meta.dirname': 'bundleFolder',
    'import.meta.filename': 'bundleFile',
  },
} as const satisfies BuildOptions;

/**
 * Writes `program.js`, from what the default builder has built, and `main.js`, which runs it.
 *
 * @returns the packages that are in it, as `fastify@5.12.8`
 */
export async function bundle(application: string, folder: string): Promise<readonly string[]> {
  const entry = join(root, `dist/apps/${application}/apps/${application}/src/main.js`);
  const { metafile } = await build({ ...options, entryPoints: [entry], outfile: join(folder, 'program.js') });
  if (!isAscii(readFileSync(join(folder, 'program.js'))))
    throw new Error('program.js has characters beyond ASCII');
  copyFileSync(join(import.meta.dirname, 'starter.js'), join(folder, 'main.js'));
  return packagesIn(metafile);
}

function packagesIn(metafile: Metafile): readonly string[] {
  const folders = Object.keys(metafile.inputs).flatMap(
    (path) => /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [],
  );
  return [...new Set(folders)].map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return `${name}@${version}`;
  });
}
