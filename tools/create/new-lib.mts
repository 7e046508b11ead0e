import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { libFiles } from './project/lib-files.mts';
import { format, makeProject, toJson, writeFile } from './project/project.mts';
import { addAlias } from './project/tsconfig.mts';
import { root, runScript } from '../../scripts/workspace.mts';

const layoutFile = 'test/layout/layout.json';

/** Creates a library: `npm run new:lib ledger`, or `npm run new:lib ledger -- --layer domain`. */
await runScript(() => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { layer: { type: 'string', default: 'capabilities' } },
  });
  const before = readLayout();
  const { layers, imports } = before;
  const layer = layers[values.layer];
  if (layer === undefined) {
    throw new Error(`no layer is called ${JSON.stringify(values.layer)}: ${Object.keys(layers).join(', ')}`);
  }
  const { kebab } = makeProject(
    { type: 'library', folder: 'libs', entryFile: 'index', tsconfig: 'tsconfig.lib.json', files: libFiles },
    positionals[0],
  );
  addAlias(kebab);
  const layout: Layout = {
    ...before,
    layers: { ...layers, [values.layer]: [...layer, kebab] },
    imports: { ...imports, [kebab]: [] },
  };
  writeFile(layoutFile, toJson(layout));
  format(layoutFile);
  console.log(
    `created libs/${kebab} in the layer "${values.layer}". Import it as @app/${kebab}; ` +
      `list the libraries that it imports in ${layoutFile}`,
  );
});

interface Layout {
  readonly layers: Readonly<Record<string, readonly string[]>>;
  readonly imports: Readonly<Record<string, readonly string[]>>;
}

function readLayout(): Layout {
  const layout: Layout = JSON.parse(readFileSync(join(root, layoutFile), 'utf8'));
  return layout;
}
