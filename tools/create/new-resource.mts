import '../../scripts/load-sources.mts';
import { parseArgs } from 'node:util';
import { makeResource } from './resource/make-resource.mts';
import type { Owner } from './resource/target.mts';
import { readTakenNames } from './resource/taken-names.mts';
import { describeDraft } from './source/draft.mts';
import { typeList } from './resource/fields.mts';
import { generate, runScript } from '../../scripts/workspace.mts';

const help = `Creates a resource of an application: wire classes, store, controller, spec, table and migration.

  npm run new resource ticket title:text:unique seats:integer 'note:text?' dueAt:timestamp
  npm run new resource note -- title:text --tenant
  npm run new resource task -- title:text project:ref:projects 'status:one-of(open,done)' 'dueOn:date?' --owned

A field is name:type, with ? if it may be null, and :unique if no two rows, with --owned or --tenant of an owner, may have the
same value.
Types: ${typeList}

Callers sort the list by texts, integers, timestamps and dates, and filter it by choices, booleans, references and unique
texts; each has an index. Decimals are stored as exact texts, of which 10 comes before 9: they have no order and no filter. Remove those that nobody needs from the query class and the migration.

  --app NAME       the application that gets it; default api
  --owned          each caller has their own; what others have is a 404. Default: every user reads, administrators change
  --tenant         each organization has its own, below /organizations/:organizationId; only members find them
  --plural NAME    the path, if English has another plural
  --dry-run        shows what would be created and changed, and writes nothing
  --no-generate    leaves the generated files as they are: for several commands in a row, of which the last one generates
  --help           shows this`;

/** Creates a resource: `npm run new resource ticket title:text:unique seats:integer 'note:text?' dueAt:timestamp`. */
await runScript(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      app: { type: 'string', default: 'api' },
      plural: { type: 'string' },
      owned: { type: 'boolean', default: false },
      tenant: { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
      'no-generate': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return console.log(help);
  const [name, ...fields] = positionals;
  const { folder, migration, note, draft } = makeResource({
    app: values.app,
    name,
    plural: values.plural,
    fields,
    owner: ownerOf(values),
    taken: await readTakenNames(values.app),
  });
  if (values['dry-run']) return console.log(await describeDraft(draft));
  await draft.save();
  if (!values['no-generate']) generate();
  if (note !== undefined) console.log(note);
  console.log(`created ${folder}, with the migration ${migration}. Run its tests: npm test -- ${folder}`);
});

function ownerOf({
  owned,
  tenant,
}: {
  readonly owned: boolean;
  readonly tenant: boolean;
}): Owner | undefined {
  if (owned && tenant) throw new Error('give --owned or --tenant: a row has a single owner');
  if (tenant) return 'organization';
  return owned ? 'account' : undefined;
}
