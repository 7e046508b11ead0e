import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { pagesPlugin } from './test/pages/pages-plugin.mts';
import { RetriesReporter } from './test/retries.reporter.mts';
import { specsOnStore } from './test/store-specs.mts';

const fromRoot = (path: string) => new URL(path, import.meta.url).pathname;

// The temporary files of a run are in one folder, which is removed at its end, whatever the tests leave in it. Vitest evaluates this
// file several times, and paths of sockets are short.
if (!tmpdir().includes('sluice-tests-')) {
  const temporary = mkdtempSync(join(tmpdir(), 'sluice-tests-'));
  // Tests run programs as another user, who must be able to pass through.
  chmodSync(temporary, 0o711);
  Object.assign(process.env, { TMPDIR: temporary, TEMP: temporary });
  process.on('exit', () => rmSync(temporary, { recursive: true, force: true, maxRetries: 3 }));
}

// Specs compare compiled code, so the libraries handle no first values, in the programs of the package tests either.
process.env.SLUICE_COMPILE_AFTER ??= '0';

/** The options with which our compilers emit decorators and fields. */
const oxc = {
  assumptions: { setPublicClassFields: true },
  decorator: { legacy: true, emitDecoratorMetadata: true },
  typescript: { removeClassFieldsWithoutInitializer: true },
};

/** The aliases of tsconfig.json. */
const alias = [
  { find: /^@app\/([^/]+)$/, replacement: fromRoot('./libs/$1/src/index.ts') },
  { find: /^@app\/([^/]+)\/testing$/, replacement: fromRoot('./libs/$1/testing/index.ts') },
  // The file that Node loads for its packages: Vite prefers another one, and it refuses the schema of a second copy.
  { find: /^graphql$/, replacement: 'graphql/index.js' },
];

/** A password is hashed in 0.1 ms instead of 9. */
const cheapHashes = {
  find: /^\.\/argon2id-cost$/,
  replacement: fromRoot('./libs/auth/testing/argon2id-cost.ts'),
};

/** The setup that gives all programs of a run ids by time, with `DATABASE_IDS=time`. */
const timeIds =
  process.env.DATABASE_IDS === 'time'
    ? [
        {
          find: /^.*\/default-ids$/,
          replacement: fromRoot('./libs/persistence/testing/default-ids.ts'),
        },
      ]
    : [];

/** Nothing waits this long that is well, not even on a machine that is busy with something else. */
const patience = { testTimeout: 60_000, hookTimeout: 90_000, expect: { poll: { timeout: 30_000 } } };

/** Each file waits patiently, generates the same values each time, and leaves the process as it found it. */
const setupFiles = ['test/patience.setup.ts', 'test/properties.setup.ts', 'test/restore.setup.ts'];

/**
 * Specs that replace or extend what a process has once (they register the parts of a plugin, forget the decorators of every class, or load a library again), and those
 * that hash passwords at the cost of production.
 */
const isolated = [
  'apps/api/test/{factors,plugin}.spec.ts',
  'libs/auth/src/facets/route-facets.spec.ts',
  'libs/service/src/reference/shared-problems.spec.ts',
  'libs/engine/src/validation/{declarations,equality}.spec.ts',
  'libs/engine/src/shapes/rules/rules.spec.ts',
  'libs/auth/src/passwords/*.spec.ts',
];

/** Specs of minutes: builders, browsers, processes that are killed. `npm run test:full` has them. */
const full = ['**/*.full.spec.ts'];

/** Specs of applications that can differ between the stores: what is queried, locked or shared by programs. */
const storeDependent = [
  'apps/*/src/**/*.spec.ts',
  'libs/service/src/schema.spec.ts',
  'apps/api/test/{api-keys,organization-invitations,organizations,profile,users}.spec.ts',
  'apps/admin/test/{api-keys,audit,outbox,roles,sessions,users}.spec.ts',
  'apps/api/test/{conditions,idempotency,lists,list-indexes,query-plans,two-instances}.spec.ts',
  'apps/*/test/{before-plugins,promises,removed-account}.spec.ts',
  'apps/api/test/{email-codes,ended-sign-in,identity-providers,passkeys,recovered-accounts,revocation-across-instances,store-faults,sweeps,totp,trusted-issuers}.spec.ts',
  'apps/api/test/unknown-outcomes.spec.ts',
];

/** Specs in which no statement differs between the stores. */
const storeIndependent = ['apps/api/test/{docs-page.full,kept-connection,static-files}.spec.ts'];

/**
 * Projects run one after another: what one measures of time, the next does not disturb. The files of a worker share its
 * process and its modules, which halves the CPU time: importing Nest and the applications takes longer than most tests.
 */
function project(
  order: number,
  name: string,
  test: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration {
  const shares = { isolate: false, setupFiles, sequence: { groupOrder: order } };
  return {
    root: fromRoot('.'),
    plugins: [pagesPlugin],
    resolve: { alias: name === 'isolated' ? alias : [cheapHashes, ...timeIds, ...alias] },
    oxc,
    test: { name, globals: true, ...shares, ...patience, ...test },
  };
}

const onStore = specsOnStore(fromRoot('.'));

/** On PostgreSQL: what `npm test` runs, and what the full tests add. */
const onPostgres = {
  usual: {
    include: [...onStore, ...storeDependent],
    exclude: [...full, ...storeIndependent],
  },
  rest: {
    include: [...onStore.filter((path) => path.endsWith('.full.spec.ts')), 'apps/**/*.spec.ts'],
    exclude: [...storeDependent, ...storeIndependent],
  },
};

function postgresOf({ include, exclude }: { include: string[]; exclude: string[] }) {
  return project(2, 'postgres', {
    include,
    exclude,
    globalSetup: ['libs/persistence/testing/postgres.setup.ts'],
    setupFiles: ['test/store-specs.setup.ts', ...setupFiles],
  });
}

const sqliteSetupFiles = ['test/sqlite.setup.ts', 'test/store-specs.setup.ts', ...setupFiles];

const usual = [
  project(0, 'sqlite', {
    include: ['{apps,libs}/**/*.spec.ts'],
    exclude: [...isolated, ...full],
    setupFiles: sqliteSetupFiles,
  }),
  project(1, 'isolated', { include: isolated, isolate: true }),
  postgresOf(onPostgres.usual),
  project(3, 'workspace', { include: ['{test,test/guides,tools/*}/*.spec.ts'], exclude: full }),
];

const rest = [
  project(0, 'sqlite', {
    include: [
      ...full.map((pattern) => `{apps,libs,test/fixtures}/${pattern}`),
      'apps/api/test/kept-connection.spec.ts',
    ],
    setupFiles: sqliteSetupFiles,
  }),
  postgresOf(onPostgres.rest),
  project(4, 'builds', {
    include: ['test/builds/*.spec.ts'],
    globalSetup: ['test/builds/builds.setup.mts'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
  }),
  // Beside the builds, so that no core waits for the last file of either.
  project(4, 'clones', {
    include: ['test/clones/*.spec.ts'],
    globalSetup: ['test/clones/packages.setup.mts'],
    testTimeout: 600_000,
  }),
  project(4, 'simulations', { include: ['tools/*/*.full.spec.ts'] }),
];

const efforts = {
  /** The specs that a contributor waits for. */
  usual,
  /** The specs that `usual` leaves out. */
  full: rest,
  /** Everything that runs on PostgreSQL. */
  postgres: [
    postgresOf({
      include: [...onPostgres.usual.include, ...onPostgres.rest.include],
      exclude: storeIndependent,
    }),
  ],
};

/** The tests of an effort; a spec that has more to do in the full ones reads `TEST_EFFORT`. */
export function testsOf(effort: keyof typeof efforts) {
  return defineConfig({
    root: fromRoot('.'),
    test: {
      env: { TEST_EFFORT: effort },
      maxWorkers: '100%',
      retry: process.env.CI ? 1 : 0,
      reporters: process.env.CI ? ['default', 'json', new RetriesReporter()] : ['default'],
      outputFile: { json: `coverage/tests-${effort}.json` },
      projects: efforts[effort],
    },
  });
}

export default testsOf('usual');
