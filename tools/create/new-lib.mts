import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { libFiles, makeProject, toJson } from './project/project.mts';
import { insertAmong } from './resource/insert.mts';
import { Draft } from './source/draft.mts';
import { addAlias } from './project/tsconfig.mts';
import { root, runScript } from '../../scripts/workspace.mts';

const layoutFile = 'test/layout/layout.json';

/** The line ceiling for a new library. A larger library raises it as it grows. */
const newCeiling = 200;

/** Creates a library: `npm run new lib ledger`, or `npm run new lib ledger -- --layer domain`. */
await runScript(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { layer: { type: 'string', default: 'capabilities' } },
  });
  const layout = existsSync(join(root, layoutFile)) ? readLayout() : undefined;
  if (layout !== undefined && !Object.hasOwn(layout.layers, values.layer)) {
    const layers = Object.keys(layout.layers).join(', ');
    throw new Error(`no layer is called ${JSON.stringify(values.layer)}: ${layers}`);
  }
  const draft = new Draft();
  const { kebab, pascal } = makeProject(
    draft,
    { type: 'library', folder: 'libs', entryFile: 'index', tsconfig: 'tsconfig.lib.json', files: libFiles },
    positionals[0],
  );
  addAlias(draft, kebab);
  if (layout !== undefined) {
    addToLayout(draft, layout, values.layer, kebab);
    addToPage(draft, kebab, pascal);
  }
  await draft.save();
  if (layout === undefined) return console.log(`created libs/${kebab}. Import it as @app/${kebab}`);
  console.log(
    `created libs/${kebab} in the layer "${values.layer}". Import it as @app/${kebab}; ` +
      `list the libraries that it imports in ${layoutFile}`,
  );
});

function addToLayout(draft: Draft, layout: Layout, layer: string, library: string): void {
  const { layers, ceilings, imports } = layout;
  const changed: Layout = {
    ...layout,
    layers: { ...layers, [layer]: [...(layers[layer] ?? []), library] },
    ceilings: { ...ceilings, [`libs/${library}`]: newCeiling },
    imports: { ...imports, [library]: [] },
  };
  draft.write(layoutFile, toJson(changed));
}

/** Adds a row to both tables of libraries. */
function addToPage(draft: Draft, library: string, pascal: string): void {
  const path = 'ARCHITECTURE.md';
  insertAmong(
    draft,
    { path, neighbour: /^\| \[[\w-]+\]\(libs\/.*\|$/gm },
    `| [${library}](libs/${library}/README.md) | its own name | \`${pascal}Module\` |`,
  );
  insertAmong(draft, { path, neighbour: /^\| [\w-]+ \| .*·.* \|$/gm }, `| ${library} | nest |`);
}

interface Layout {
  readonly layers: Readonly<Record<string, readonly string[]>>;
  /** The highest number of source lines by project, such as `libs/ledger`. */
  readonly ceilings: Readonly<Record<string, number>>;
  readonly imports: Readonly<Record<string, readonly string[]>>;
}

function readLayout(): Layout {
  const layout: Layout = JSON.parse(readFileSync(join(root, layoutFile), 'utf8'));
  return layout;
}
