import { parseArgs } from 'node:util';
import { makeRule } from './rule/make-rule.mts';
import { describeDraft } from './source/draft.mts';
import { runScript } from '../../scripts/workspace.mts';

const help = `Creates a rule of an application for texts, with its message, its JSON Schema and its spec:

  npm run new rule is-sku '^[A-Z]{3}-[0-9]{2}$' TEA-01

Members of wire classes have it as @IsSku(). The compiler calls its test, which may be edited to anything that depends on the value
alone; the keywords are to allow exactly what it accepts, of which theProgramKeepsItsPromises() tests an application.

  --app NAME       the application that gets it; default api
  --dry-run        shows what would be created, and writes nothing
  --help           shows this`;

/** Creates a rule: `npm run new rule is-sku '^[A-Z]{3}-[0-9]{2}$' TEA-01`. */
await runScript(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      app: { type: 'string', default: 'api' },
      'dry-run': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return console.log(help);
  const [name, pattern, example] = positionals;
  const { path, pascal, draft } = makeRule({ app: values.app, name, pattern, example });
  if (values['dry-run']) return console.log(await describeDraft(draft));
  await draft.save();
  console.log(`created ${path}.ts, with its spec. Members have it as @${pascal}()`);
});
