import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { libFiles } from './new/lib-files.mts';
import { format, makeProject, toJson, writeFile } from './new/project.mts';
import { addAlias } from './new/tsconfig.mts';
import { root, runScript } from './workspace.mts';

const floorsFile = 'test/house/floors.json';

/** Makes a library: `npm run new:lib ledger`, or `npm run new:lib ledger -- --floor upstairs`. */
await runScript(() => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { floor: { type: 'string', default: 'living' } },
  });
  const floors = readFloors();
  const floor = floors[values.floor];
  if (floor === undefined) {
    throw new Error(`no floor is called ${JSON.stringify(values.floor)}: ${Object.keys(floors).join(', ')}`);
  }
  const { kebab } = makeProject(
    { type: 'library', folder: 'libs', entryFile: 'index', tsconfig: 'tsconfig.lib.json', files: libFiles },
    positionals[0],
  );
  addAlias(kebab);
  writeFile(floorsFile, toJson({ ...floors, [values.floor]: [...floor, kebab] }));
  format(floorsFile);
  console.log(`libs/${kebab} is there, on the floor "${values.floor}". It is imported as @app/${kebab}`);
});

function readFloors(): Record<string, readonly string[]> {
  const floors: Record<string, readonly string[]> = JSON.parse(readFileSync(join(root, floorsFile), 'utf8'));
  return floors;
}
