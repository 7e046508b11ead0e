import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { packClient } from './client/pack.mts';
import { hasLibs, listApplications, readName, root, runScript } from '../../scripts/workspace.mts';

/**
 * Packs a typed client for an application, from its `openapi.json`: `npm run pack client` writes the package to
 * `dist/packages/client`, and its tarball beside it. `-- --app NAME` chooses an application other than the first, and
 * `--name NAME` the package name.
 */
await runScript(async () => {
  const { values } = parseArgs({ options: { app: { type: 'string' }, name: { type: 'string' } } });
  const names = listApplications();
  const [first = ''] = names;
  const { app = first } = values;
  if (!names.includes(app))
    throw new Error(`name one application: npm run pack client -- --app ${names.join(' or ')}`);
  const isOurs = hasLibs && app === first;
  const { name = isOurs ? '@sluice/client' : `${readName()}-${app}-client` } = values;
  const folder = join(root, 'dist/packages', app === first ? 'client' : `client-${app}`);
  console.log(relative(root, await packClient({ application: app, name }, folder)));
});
