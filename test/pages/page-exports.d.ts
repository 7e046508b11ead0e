/** The exports of a page: its TypeScript is compiled by `test/docs.spec.ts`. */
declare module '*.md';
