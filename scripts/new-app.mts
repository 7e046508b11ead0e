import { appFiles } from './new/app-files.mts';
import { makeProject } from './new/project.mts';
import { generate, runScript } from './workspace.mts';

/** Creates an application: `npm run new:app back-office`. */
await runScript(() => {
  const { kebab } = makeProject(
    {
      type: 'application',
      folder: 'apps',
      entryFile: 'main',
      tsconfig: 'tsconfig.app.json',
      files: appFiles,
    },
    process.argv[2],
  );
  generate();
  console.log(`created apps/${kebab}. Run it: npm start -- ${kebab}`);
});
