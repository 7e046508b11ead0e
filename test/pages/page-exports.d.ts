/** The exports of a page. `test/docs.spec.ts` compiles its TypeScript. */
declare module '*.md';
