import '../../scripts/load-sources.mts';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seedAdministrator } from '../../scripts/seed/sample.mts';
import { withSeededProgram } from '../../scripts/seed/seeded-program.mts';
import { root, runScript } from '../../scripts/workspace.mts';

/** The client that samples use to create the resources that their body refers to. */
interface Poster {
  post(path: string, body: object): Promise<{ readonly json: Created }>;
}

/** The part of a response that the program reads. */
interface Created {
  readonly id?: number;
  readonly access_token?: string;
}

type Sample = (clients: { readonly caller: Poster; readonly admin: Poster }) => Promise<object>;

/**
 * Fills the development database with rows for each resource in an application: `npm run seed`, or
 * `npm run seed -- --app shop --count 100`. The rows come from the test samples.
 */
await runScript(async () => {
  const { values } = parseArgs({
    options: { app: { type: 'string', default: 'api' }, count: { type: 'string', default: '3' } },
  });
  const count = Number(values.count);
  if (!(Number.isSafeInteger(count) && count > 0)) throw new Error('--count is a whole number from 1');
  const { email, password } = seedAdministrator;
  await withSeededProgram(values.app, async (url) => {
    const { json } = await posterOf(url).post('/auth/login', { username: email, password });
    const admin = posterOf(url, json.access_token);
    for (const file of globSync(`apps/${values.app}/testing/samples/*.ts`, { cwd: root }).toSorted()) {
      const { path, parameters, ...makers } = await import(join(root, file));
      const list = filled(path, await parameters?.({ caller: admin, admin }));
      for (const sample of Object.values<Sample>(makers))
        for (let n = 0; n < count; n++) await admin.post(list, await sample({ caller: admin, admin }));
      console.log(`added ${count} ${path.split('/').at(-1)}`);
    }
  });
  console.log(`sign in as ${email}: ${password}`);
});

/** Returns a path with its parameters. */
function filled(path: string, parameters: Readonly<Record<string, unknown>> = {}): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => String(parameters[name]));
}

function posterOf(url: string, token?: string): Poster {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const headers = { 'content-type': 'application/json', ...authorization };
  return {
    post: async (path, body) => {
      const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      const text = await response.text();
      if (!response.ok) throw new Error(`POST ${path} was refused with ${response.status}: ${text}`);
      return { json: JSON.parse(text) };
    },
  };
}
