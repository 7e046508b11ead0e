import { minify } from '@swc/core';
import type { Plugin } from 'rolldown';
import { minifySync } from 'rolldown/utils';

/**
 * Makes the files of the package smaller. They stay readable: functions and variables keep their names, and source maps
 * lead to the sources.
 *
 * @param names the new names of members, see `internalNames`
 */
export function smaller(names: Readonly<Record<string, string>>): Plugin[] {
  return [plainExports, compressed, renamed(names)];
}

/** What a chunk exports to the entries never changes, so that it needs no getters. */
const plainExports: Plugin = {
  name: 'plain-exports',
  renderChunk: (code) => ({
    code: code.replaceAll(
      /^Object\.defineProperty\(exports, "(\w+)", \{\s+enumerable: true,\s+get: function ?\(\) \{\s+return ([\w$]+);\s+\}\s+\}\);$/gm,
      'exports.$1 = $2;',
    ),
    map: null,
  }),
};

/** Functions that are called in one place move there; what is constant is computed. */
const compressed: Plugin = {
  name: 'compressed',
  async renderChunk(text, { fileName }) {
    const { code, map } = await minify(text, {
      module: fileName.endsWith('.mjs'),
      compress: { passes: 3, toplevel: true, keep_classnames: true, keep_fnames: true },
      keep_classnames: true,
      keep_fnames: true,
      mangle: false,
      ecma: 2022,
      sourceMap: true,
    });
    return { code, map: map ?? null };
  },
};

function renamed(names: Readonly<Record<string, string>>): Plugin {
  const include = new RegExp(
    `^(?:${Object.keys(names)
      .map((name) => RegExp.escape(name))
      .join('|')})$`,
  );
  return {
    name: 'renamed',
    renderChunk(text, { fileName }) {
      const { code, map, errors } = minifySync(fileName, text, {
        compress: { target: 'es2022', keepNames: { function: true, class: true } },
        mangle: false,
        mangleProps: { include, cache: { ...names } },
        codegen: { removeWhitespace: false },
        sourcemap: true,
      });
      if (errors[0]) throw new Error(`${fileName}: ${errors[0].message}`);
      return { code, map };
    },
  };
}
