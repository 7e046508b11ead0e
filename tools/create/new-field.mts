import { parseArgs } from 'node:util';
import { describeDraft } from './source/draft.mts';
import { makeField } from './field/make-field.mts';
import { typeList } from './resource/fields.mts';
import { generate, runScript } from '../../scripts/workspace.mts';

const help = `Adds fields to a resource that exists: table, migration, wire classes, store, tests, order or filter of its list.

  npm run new field tasks 'dueOn:date?' priority:integer=0

A field is name:type, as for npm run new resource. Since the table may have rows, it is optional (?), or has a default (=0), which
those rows get, and bodies that lack it; or it is required, and --default gives the value of those rows alone:

  npm run new field tasks -- priority:integer 'place:text' --default priority=0 --default place=unknown

Types: ${typeList}

The files may have been changed since they were generated. If one has another shape, nothing is written, and the command
lists what to add by hand; run it again then, for the rest.

  --app NAME       the application that has it; default api
  --default F=V    the value of a required field in rows that are there already
  --dry-run        shows what would be changed, and writes nothing
  --no-generate    leaves the generated files as they are: for several commands in a row, of which the last one generates
  --help           shows this`;

/** Adds fields to a resource: `npm run new field tasks 'dueOn:date?' priority:integer=0`. */
await runScript(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      app: { type: 'string', default: 'api' },
      default: { type: 'string', multiple: true, default: [] },
      'dry-run': { type: 'boolean', default: false },
      'no-generate': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return console.log(help);
  const [name, ...fields] = positionals;
  const { path, folder, migrations, isListed, note, draft } = makeField(
    name,
    fields,
    values.default,
    values.app,
  );
  if (values['dry-run']) return console.log(await describeDraft(draft));
  await draft.save();
  if (!values['no-generate']) generate();
  if (note !== undefined) console.log(note);
  if (!isListed)
    console.log(`the list of ${path} has no query class: callers cannot sort or filter it by what was added`);
  console.log(
    `added to ${path}, with the migration${migrations.length > 1 ? 's' : ''} ${migrations.join(' and ')}. Run its tests: npm test -- ${folder}`,
  );
});
