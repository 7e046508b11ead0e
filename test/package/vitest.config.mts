import { defineConfig } from 'vitest/config';

const root = new URL('../..', import.meta.url).pathname;

/** `npm run test:package`: it installs packages from the registry, so it is no part of `npm test`. */
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
