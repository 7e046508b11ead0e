import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Options, transformSync } from '@swc/core';
import { root } from './workspace.mts';

const sources = pathToFileURL(`${root}/`);

/** The swc options that webpack also uses. */
const swc: Options = JSON.parse(readFileSync(new URL('swc.json', import.meta.url), 'utf8'));

/** The CommonJS variables. They share the first line with the code, so that source maps stay valid. */
const commonJs = 'const __dirname = import.meta.dirname;';

/** Returns a specifier's source. Both `./plan` and `./plan.js` mean `./plan.ts`. */
const sourceOf = (specifier: string) => `${specifier.replace(/\.js$/, '')}.ts`;

/** Compiles the sources with swc, because Node cannot load extensionless imports, aliases and decorators. */
registerHooks({
  resolve(specifier, context, next) {
    const alias = /^@app\/([^/]+)(\/testing)?$/.exec(specifier);
    if (alias) return next(new URL(`libs/${alias[1]}${alias[2] ?? '/src'}/index.ts`, sources).href, context);
    const isOurs = specifier.startsWith('.') && context.parentURL?.startsWith(sources.href);
    const file = isOurs ? new URL(sourceOf(specifier), context.parentURL) : undefined;
    return next(file && existsSync(file) ? file.href : specifier, context);
  },
  load(url, context, next) {
    const isOurs = url.startsWith(sources.href) && /\.m?ts$/.test(url) && !url.includes('/node_modules/');
    if (!isOurs) return next(url, context);
    const filename = fileURLToPath(url);
    const options: Options = { ...swc, filename, module: { type: 'es6' }, sourceMaps: 'inline' };
    const { code } = transformSync(readFileSync(filename, 'utf8'), options);
    return { format: 'module', source: `${commonJs}${code}`, shortCircuit: true };
  },
});
