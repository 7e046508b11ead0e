import { defineConfig } from 'vitest/config';

// The programs compare what is compiled: the libraries handle no first values.
process.env.SLUICE_COMPILE_AFTER ??= '0';

const root = new URL('../..', import.meta.url).pathname;

/**
 * The configuration of `npm run test:package`, which is separate from `npm test` because it installs packages from the registry.
 */
export default defineConfig({
  root,
  test: {
    globals: true,
    include: ['test/package/*.spec.ts'],
    testTimeout: 240_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
});
