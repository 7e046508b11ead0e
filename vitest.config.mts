import { defineConfig } from 'vitest/config';

const fromRoot = (path: string) => new URL(path, import.meta.url).pathname;

/** What every project shares: the aliases of tsconfig.json and decorators as our compilers emit them. */
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

export default defineConfig({
  ...shared,
  test: { globals: true, include: ['{apps,libs}/**/*.spec.ts'] },
});
