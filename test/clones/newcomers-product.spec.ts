import { once } from 'node:events';
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { WebSocket } from 'ws';
import { versionsOf } from '../../tools/pack/modules/versions.mts';
import { endProcesses, readUrl, run, start } from '../builds/processes';

/** The handwritten part: new files, and edits to generated files. */
const patch = join(__dirname, 'newcomers-product.patch');
const credentials = { email: 'ada@example.com', password: 'correct horse battery staple' };
const administrator = { username: 'admin@example.com', password: credentials.password };

/** The packages that the WebSocket guide installs. */
const added = Object.entries(versionsOf(['@nestjs/platform-ws', '@nestjs/websockets', 'ws'])).map(
  ([name, version]) => `dependencies.${name}=${version}`,
);

const commands = `
npx sluice new resource project name:text --owned --no-generate
npx sluice new resource task project:ref:projects title:text 'status:one-of(open,done)' 'dueOn:date?' --owned --no-generate
npx sluice new app admin --operators
npm pkg set ${added.join(' ')}
git apply ${patch}
npx sluice generate
npm run format:check
npm run types
npm run build -- api admin
npm test -- apps/admin`;

let folder: string;
let shop: string;
let creation: Awaited<ReturnType<typeof run>>;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'sluice-newcomers-')));
  shop = join(folder, 'shop');
  const packages = inject('packages');
  const env = { npm_execpath: join(__dirname, 'npm-by-links.cjs') };
  const create = `node ${packages}/create/create-sluice.cjs shop --packages ${packages}`;
  creation = await run('sh', ['-ec', `${create}\ncd shop${commands}`], { cwd: folder, env });
}, 600_000);
afterAll(async () => {
  await endProcesses();
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
});

/** Runs a built program of the workspace, on the store that both have. */
function startBuilt(application: string): Promise<string> {
  const { username: ADMIN_EMAIL, password: ADMIN_PASSWORD } = administrator;
  const env = { PORT: '0', ADMIN_EMAIL, ADMIN_PASSWORD };
  return start(process.execPath, [`dist/apps/${application}/main.js`], { cwd: shop, env }).hear(readUrl);
}

/** The body members that the test reads. */
interface Body {
  readonly access_token?: string;
  readonly id?: number;
  readonly username?: string;
  readonly status?: string;
  readonly role?: string;
}

async function send(url: string, method: string, body?: object, token?: string) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(url, { method, headers, body: body && JSON.stringify(body) });
  const json: Body = JSON.parse(await response.text());
  return { status: response.status, location: response.headers.get('location') ?? '', json };
}

async function signIn(url: string, body: object): Promise<string> {
  return (await send(`${url}/auth/login`, 'POST', body)).json.access_token ?? '';
}

describe('projects and tasks with users, a role, a job and a WebSocket, in a created workspace', () => {
  it('are made by commands and less than 300 lines by hand, in files of the workspace alone', async () => {
    const lines = (await readFile(patch, 'utf8')).split('\n');
    expect(lines.filter((line) => /^\+(?!\+\+ )/.test(line)).length).toBeLessThan(300);
    const files = lines.flatMap((line) => /^\+\+\+ b\/(.*)/.exec(line)?.[1] ?? []);
    expect(files.filter((file) => !file.startsWith('apps/'))).toEqual([]);
    expect(creation).toMatchObject({ code: 0 });
  });

  it('work', async () => {
    const api = await startBuilt('api');
    const admin = await startBuilt('admin');
    const refused = await send(`${api}/users`, 'POST', { ...credentials, username: 'A' });
    expect([refused.status, refused.json]).toEqual([
      422,
      {
        code: 'invalid-input',
        errors: { username: ['username must be 3 to 30 lowercase letters, digits and underscores'] },
      },
    ]);
    const { location } = await send(`${api}/users`, 'POST', { ...credentials, username: 'ada' });
    const token = await signIn(api, { username: credentials.email, password: credentials.password });
    expect((await send(`${api}/users/me`, 'GET', undefined, token)).json.username).toBe('ada');

    const project = await send(`${api}/projects`, 'POST', { name: 'Garden' }, token);
    const newTask = (dueOn: string) =>
      send(
        `${api}/tasks`,
        'POST',
        { projectId: project.json.id, title: 'Sow', status: 'open', dueOn },
        token,
      );
    const overdue = await newTask('2020-01-01');
    expect((await newTask('9999-12-31')).status).toBe(201);
    await expect
      .poll(async () => (await send(api + overdue.location, 'GET', undefined, token)).json.status)
      .toBe('done');

    expect((await send(`${api}/reports/current`, 'GET', undefined, token)).status).toBe(403);
    const operator = await signIn(admin, administrator);
    const changed = await send(admin + location, 'PATCH', { role: 'manager' }, operator);
    expect([changed.status, changed.json.role]).toEqual([200, 'manager']);
    await expect
      .poll(async () => (await send(`${api}/reports/current`, 'GET', undefined, token)).json)
      .toEqual({ openTasks: 1 });

    const board = new WebSocket(`${api.replace('http', 'ws')}/board`, {
      headers: {
        authorization: `Bearer ${await signIn(api, { username: credentials.email, password: credentials.password })}`,
      },
    });
    await once(board, 'open');
    board.send(JSON.stringify({ event: 'say', data: { text: 'sown' } }));
    const [message] = await once(board, 'message');
    expect(JSON.parse(String(message))).toEqual({
      event: 'said',
      data: { by: credentials.email, text: 'sown' },
    });
    board.close();
  });
});
