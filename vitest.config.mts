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
const patience = { testTimeout: 20_000, hookTimeout: 30_000 };

/**
 * Projects run one after another: what one measures of time, the next does not disturb. Every file has a process of its
 * own, since some are about process-wide things (signals, uncaught errors, metadata); sharing would save 4 s in 50.
 */
function project(
  order: number,
  name: string,
  test: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration {
  return { ...shared, test: { name, globals: true, sequence: { groupOrder: order }, ...patience, ...test } };
}

export default defineConfig({
  test: {
    maxWorkers: '100%',
    reporters: process.env.CI ? ['default', 'json'] : ['default'],
    outputFile: { json: 'coverage/tests.json' },
    projects: [
      project(0, 'sqlite', {
        include: ['{apps,libs}/**/*.spec.ts'],
        setupFiles: ['test/sqlite.setup.ts'],
      }),
      project(1, 'postgres', {
        include: ['apps/**/*.spec.ts', 'libs/{accounts,persistence}/**/*.spec.ts'],
        globalSetup: ['libs/persistence/testing/postgres.setup.ts'],
      }),
      project(2, 'workspace', { include: ['test/*.spec.ts'] }),
      project(3, 'builds', {
        include: ['test/builds/*.spec.ts'],
        globalSetup: ['test/builds/builds.setup.mts'],
        testTimeout: 240_000,
        hookTimeout: 240_000,
      }),
    ],
  },
});
