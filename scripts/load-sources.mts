import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Options, transformSync } from '@swc/core';
import { root } from './workspace.mts';

const sources = pathToFileURL(`${root}/`);

/** The same options as in webpack. */
const swc: Options = JSON.parse(readFileSync(new URL('swc.json', import.meta.url), 'utf8'));

/** Variables of CommonJS; on the first line, so that source maps stay valid. */
const commonJs = 'const __dirname = import.meta.dirname;';

/** `./plan` and `./plan.js` both mean `./plan.ts`. */
const sourceOf = (specifier: string) => `${specifier.replace(/\.js$/, '')}.ts`;

/** The sources have extensionless imports, aliases and decorators, which Node cannot load: swc compiles them. */
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
