import { parseArgs } from 'node:util';
import { makePlugin } from './plugin/make-plugin.mts';
import { describeDraft } from './source/draft.mts';
import { generate, runScript } from '../../scripts/workspace.mts';

const help = `Creates a plugin of an application, with a setting, a service, a route and its spec, and lists it in the program:

  npm run new plugin price-list

Replace what it does, and add tables, jobs, commands and other parts: see docs/guides/plugins.md.

  --app NAME       the application that gets it; default api
  --dry-run        shows what would be created and changed, and writes nothing
  --no-generate    leaves the generated files as they are: for several commands in a row, of which the last one generates
  --help           shows this`;

/** Creates a plugin: `npm run new plugin price-list`. */
await runScript(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      app: { type: 'string', default: 'api' },
      'dry-run': { type: 'boolean', default: false },
      'no-generate': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return console.log(help);
  const { folder, draft } = makePlugin({ app: values.app, name: positionals[0] });
  if (values['dry-run']) return console.log(await describeDraft(draft));
  await draft.save();
  if (!values['no-generate']) generate();
  console.log(`created ${folder}, and listed it in the program. Run its tests: npm test -- ${folder}`);
});
