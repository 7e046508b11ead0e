import { parseArgs } from 'node:util';
import { makeResource } from './new/resource/make-resource.mts';
import { generate, runScript } from './workspace.mts';

/** Creates a resource of `api`: `npm run new:resource ticket title:text:unique seats:integer 'note:text?' dueAt:timestamp`. */
await runScript(() => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { plural: { type: 'string' } },
  });
  const [name, ...fields] = positionals;
  const { path, migration } = makeResource(name, values.plural, fields);
  generate();
  console.log(
    `created apps/api/src${path}, its table and the migration ${migration}. Run its tests: npm test -- apps/api/src${path}`,
  );
});
