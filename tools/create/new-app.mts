import { parseArgs } from 'node:util';
import { appFiles, makeProject } from './project/project.mts';
import { Draft } from './source/draft.mts';
import { generate, runScript } from '../../scripts/workspace.mts';

/**
 * Creates an application: `npm run new app back-office`; with `--operators`, an application whose callers are the operators; with
 * `--no-generate` before other commands that generate.
 */
await runScript(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      operators: { type: 'boolean', default: false },
      'no-generate': { type: 'boolean', default: false },
    },
  });
  const draft = new Draft();
  const { kebab } = makeProject(
    draft,
    {
      type: 'application',
      folder: 'apps',
      entryFile: 'main',
      tsconfig: 'tsconfig.app.json',
      files: (names) => appFiles(names, values.operators),
    },
    positionals[0],
  );
  await draft.save();
  if (!values['no-generate']) generate();
  console.log(`created apps/${kebab}. Run it: npm start -- ${kebab}`);
});
