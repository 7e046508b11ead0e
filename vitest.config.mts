import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

const fromRoot = (path: string) => new URL(path, import.meta.url).pathname;

/** What every project shares: the aliases of tsconfig.json, and decorators and fields as our compilers emit them. */
const shared = {
  resolve: {
    alias: [
      { find: /^@app\/([^/]+)$/, replacement: fromRoot('./libs/$1/src/index.ts') },
      { find: /^@app\/([^/]+)\/testing$/, replacement: fromRoot('./libs/$1/testing/index.ts') },
    ],
  },
  oxc: {
    assumptions: { setPublicClassFields: true },
    decorator: { legacy: true, emitDecoratorMetadata: true },
    typescript: { removeClassFieldsWithoutInitializer: true },
  },
};

/** Nothing waits this long that is well, not even on a machine that is busy with something else. */
const patience = { testTimeout: 60_000, hookTimeout: 90_000 };

/** Specs that replace what a process has once: they forget the decorators of every class, or load a library again. */
const isolated = ['libs/validation/src/equality.spec.ts', 'libs/shapes/src/rules/rules.spec.ts'];

/**
 * Projects run one after another: what one measures of time, the next does not disturb. The files of a worker share its
 * process and its modules, which halves the CPU time: importing Nest and the applications takes longer than most tests.
 */
function project(
  order: number,
  name: string,
  test: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration {
  const shares = { isolate: false, setupFiles: ['test/restore.setup.ts'], sequence: { groupOrder: order } };
  return { ...shared, test: { name, globals: true, ...shares, ...patience, ...test } };
}

export default defineConfig({
  test: {
    maxWorkers: '100%',
    reporters: process.env.CI ? ['default', 'json'] : ['default'],
    outputFile: { json: 'coverage/tests.json' },
    projects: [
      project(0, 'sqlite', {
        include: ['{apps,libs}/**/*.spec.ts'],
        exclude: isolated,
        setupFiles: ['test/sqlite.setup.ts', 'test/restore.setup.ts'],
      }),
      project(1, 'isolated', { include: isolated, isolate: true }),
      project(2, 'postgres', {
        include: ['apps/**/*.spec.ts', 'libs/{accounts,mail,persistence}/**/*.spec.ts'],
        globalSetup: ['libs/persistence/testing/postgres.setup.ts'],
      }),
      project(3, 'workspace', { include: ['test/*.spec.ts'] }),
      project(4, 'builds', {
        include: ['test/builds/*.spec.ts'],
        globalSetup: ['test/builds/builds.setup.mts'],
        testTimeout: 240_000,
        hookTimeout: 240_000,
      }),
    ],
  },
});
