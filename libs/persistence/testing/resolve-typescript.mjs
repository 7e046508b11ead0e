// Resolves imports without extension, for Node with type stripping: node --import ./resolve-typescript.mjs x.ts
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, next) {
    const isOurs = specifier.startsWith('.') && !/\.[cm]?[jt]s$/.test(specifier);
    return next(isOurs && context.parentURL?.endsWith('.ts') ? `${specifier}.ts` : specifier, context);
  },
});
