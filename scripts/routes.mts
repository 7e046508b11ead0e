import './load-sources.mts';
import { parseArgs } from 'node:util';
import { lockedRoutes } from './exposures.mts';
import { withProgram } from './programs.mts';
import { listApplications, runScript } from './workspace.mts';

/**
 * Prints the routes of every application: `npm run routes`, or `npm run -s routes -- --json` for programs. With `--as user` it
 * prints the fields that callers in an audience are sent and may send.
 */
await runScript(async () => {
  const { values } = parseArgs({ options: { json: { type: 'boolean' }, as: { type: 'string' } } });
  if (values.as !== undefined) return printFields(values.as, values.json === true);
  const { routeLines, routesTable } = await import('@app/contract');
  const { describeKinds, describeTenantExceptions } = await import('@app/service');
  const exceptions: Record<string, readonly string[]> = {};
  const all: Record<string, ReturnType<typeof routeLines>> = {};
  for (const application of listApplications()) {
    all[application] = await withProgram(application, async (app) => {
      exceptions[application] = describeTenantExceptions(app);
      return routeLines(await lockedRoutes(application, app), describeKinds(app));
    });
  }
  if (values.json) return console.log(JSON.stringify(all, null, 2));
  for (const [name, lines] of Object.entries(all)) {
    console.log(`${name}\n\n${routesTable(lines)}\n`);
    for (const reason of exceptions[name] ?? []) console.log(`across tenants: ${reason}\n`);
  }
});

async function printFields(audience: string, isJson: boolean): Promise<void> {
  const { audienceNames, fieldsOfAudience } = await import('@app/contract');
  const all: Record<string, ReturnType<typeof fieldsOfAudience>> = {};
  for (const application of listApplications())
    all[application] = await withProgram(application, async (app) =>
      fieldsOfAudience(await lockedRoutes(application, app), audience),
    );
  const names = ['anyone', ...audienceNames()];
  if (!names.includes(audience))
    throw new Error(`No plugin declares the audience '${audience}'. Use ${names.join(', ')}.`);
  if (isJson) return console.log(JSON.stringify(all, null, 2));
  for (const [name, routes] of Object.entries(all)) {
    console.log(`${name}\n`);
    for (const { route, sends, accepts } of routes)
      console.log(`${route}\n  sends    ${sends.join(', ')}\n  accepts  ${accepts.join(', ')}`);
    console.log();
  }
}
