import { defineConfig } from 'vitest/config';

/** The test configuration. Each file has a separate program and database; the files in a worker share its modules. */
export default defineConfig({
  resolve: {
    alias: [
      {
        find: /^@app\/([^/]+)$/,
        replacement: new URL('./libs/$1/src/index.ts', import.meta.url).pathname,
      },
    ],
  },
  // As the compilers emit decorators and fields.
  oxc: {
    assumptions: { setPublicClassFields: true },
    decorator: { legacy: true, emitDecoratorMetadata: true },
    typescript: { removeClassFieldsWithoutInitializer: true },
  },
  test: {
    globals: true,
    isolate: false,
    include: ['{apps,libs,test}/**/*.spec.ts'],
    testTimeout: 60_000,
    hookTimeout: 90_000,
  },
});
