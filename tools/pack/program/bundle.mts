import { isAscii } from 'node:buffer';
import { copyFileSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { root } from '../../../scripts/workspace.mts';

const { dependencies }: { dependencies: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
const isDependency = (name: string) => Object.hasOwn(dependencies, name);

/**
 * The packages that are not bundled: argon2 is a binary; the files of Swagger UI are read when they are asked for; `ws` is looked up by its
 * name at run time, in a program that depends on it.
 */
export const externalPackages: readonly string[] = [
  '@node-rs/argon2',
  'swagger-ui-dist',
  ...['ws'].filter(isDependency),
];

/** The bundled packages with a storage that decorators write to. Their modules are copied for look-ups by name. */
export const storages: readonly string[] = ['class-validator', 'class-transformer'];

const storageFile = new RegExp(`/node_modules/((?:${storages.join('|')})/cjs/.*\\.js)$`);

/**
 * The packages that Nest and `pg` load only if they are installed. If a program depends on such a package, directly or through a
 * different package, its bundle contains the package.
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

/** Gives bundled modules to code that looks up a storage package by name (@nestjs/mapped-types), for a single storage. */
const shareStorages: Plugin = {
  name: 'shared storages',
  setup: (bundling) =>
    bundling.onLoad({ filter: storageFile }, async ({ path }) => ({
      contents: `${await readFile(path, 'utf8')}\nshareModule(module, ${JSON.stringify(storageFile.exec(path)?.[1])});`,
    })),
};

/** Escapes non-ASCII letters in the expressions of validator, because esbuild escapes them only in strings. */
const escapeExpressions: Plugin = {
  name: 'escaped expressions',
  setup: (bundling) =>
    bundling.onLoad({ filter: /\/node_modules\/validator\/lib\/.*\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll(/(?<!\\)[^\0-\x7f]/g, escaped),
    })),
};

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const options = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  keepNames: true,
  sourcemap: true,
  sourcesContent: false,
  // Comments are a third of the text and contain non-ASCII characters. License comments are written beside the bundle.
  minifyWhitespace: true,
  legalComments: 'external',
  metafile: true,
  logLevel: 'error',
  external: externalPackages.flatMap((name) => [name, `${name}/*`]),
  plugins: [leaveOptional, shareStorages, escapeExpressions],
  // A script has no module loader of its own.
  supported: { 'dynamic-import': false },
  banner: {
    js: [
      'const bundleFile=__filename,bundleFolder=__dirname;',
      "const bundleUrl=require('node:url').pathToFileURL(bundleFile).href;",
      'const shareModule=(module,path)=>{',
      "require.cache[require('node:path').join(bundleFolder,'node_modules',path)]=Object.assign(module,{loaded:true})};",
    ].join(''),
  },
  define: {
    'import.meta.url': 'bundleUrl',
    'import.meta.dirname': 'bundleFolder',
    'import.meta.filename': 'bundleFile',
  },
} as const satisfies BuildOptions;

/**
 * Writes `program.js` from the output of the default builder, and `main.js`, which runs it.
 *
 * @returns the contained packages, such as `fastify@5.12.8`
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
