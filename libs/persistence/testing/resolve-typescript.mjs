// Resolves imports without extension and of our libraries, for Node with type stripping: node --import ./resolve-typescript.mjs x.ts
import { registerHooks } from 'node:module';

const libraries = new URL('../../', import.meta.url);

registerHooks({
  resolve(specifier, context, next) {
    const [, library] = /^@app\/([^/]+)$/.exec(specifier) ?? [];
    if (library) return next(new URL(`${library}/src/index.ts`, libraries).href, context);
    const isOurs = specifier.startsWith('.') && !/\.[cm]?[jt]s$/.test(specifier);
    return next(isOurs && context.parentURL?.endsWith('.ts') ? `${specifier}.ts` : specifier, context);
  },
});
