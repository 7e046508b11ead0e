import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { endProcesses, readUrl, run, type Running, start } from '../builds/processes';
import { fencesOf } from '../pages/markdown';
import { packNextRelease } from './next-release';

const root = join(__dirname, '../..');
const administrator = {
  ADMIN_EMAIL: 'ada@example.com',
  ADMIN_PASSWORD: 'correct horse battery staple',
};

let folder: string;
let shop: string;
let packages: string;
let env: Readonly<Record<string, string>>;
let blocks: readonly string[];
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'sluice-upgrade-')));
  shop = join(folder, 'shop');
  packages = join(folder, 'packages');
  const identity = { name: 'A team', email: 'team@example.com' };
  env = {
    npm_execpath: join(__dirname, 'npm-by-links.cjs'),
    PORT: '0',
    GIT_AUTHOR_NAME: identity.name,
    GIT_AUTHOR_EMAIL: identity.email,
    GIT_COMMITTER_NAME: identity.name,
    GIT_COMMITTER_EMAIL: identity.email,
  };
  const page = await readFile(join(root, 'docs/guides/upgrade.md'), 'utf8');
  blocks = fencesOf(page).flatMap(({ language, text }) => (language === 'sh' ? text : []));
  const first = inject('packages');
  await packNextRelease(packages);
  await sh(`cp ${first}/*.tgz ${packages}`, folder);
  await sh(`node ${first}/create/create-sluice.cjs shop --packages ${packages}`, folder);
}, 300_000);
afterAll(async () => {
  await endProcesses();
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
});

/** The command of the workspace itself, as npx would name another npm to it, and the npm that needs no registry. */
function sh(script: string, cwd = shop) {
  const local = script
    .replaceAll('npx sluice', './node_modules/.bin/sluice')
    .replaceAll('npm install', `node ${env['npm_execpath']} install`);
  return run('sh', ['-ec', local], { cwd, env });
}

/** A command of the page, which takes the packages from the folder. */
function onPackages(block: string): string {
  return block
    .replaceAll(/ --packages \S+/g, '')
    .replaceAll(/(?<=sluice upgrade.*)$/gm, ` --packages ${packages}`);
}

const read = (path: string) => readFile(join(shop, path), 'utf8');

async function asRunning<T>(work: (url: string) => Promise<T>): Promise<T> {
  const program: Running = start('npm', ['start'], { cwd: shop, env: { ...env, ...administrator } });
  try {
    return await work(await program.hear(readUrl));
  } finally {
    program.signal('SIGTERM', 'its group');
    await program.ended;
  }
}

async function signIn(url: string): Promise<Record<string, string>> {
  const response = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: administrator.ADMIN_EMAIL, password: administrator.ADMIN_PASSWORD }),
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  return { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
}

function writeNote(title: string) {
  return asRunning(async (url) => {
    const headers = await signIn(url);
    const response = await fetch(`${url}/notes`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ title }),
    });
    expect(response.status).toBe(201);
    const list = await fetch(`${url}/notes`, { headers });
    const { items } = (await list.json()) as { items: { title: string }[] };
    return items.map((note) => note.title).toSorted();
  });
}

/** The page's blocks, in their order, on a product with rows in its store and a file that its team has edited. */
describe('a workspace that is upgraded, by the blocks of the guide', () => {
  it('has rows, a library, and an edited file', async () => {
    expect(await writeNote('Of 0.1.0')).toEqual(['Of 0.1.0']);
    expect(await sh('npx sluice new lib pricing')).toMatchObject({ code: 0 });
    await writeFile(join(shop, 'Dockerfile'), `${await read('Dockerfile')}# Ours.\n`);
    expect(await sh('git init --quiet && git add --all')).toMatchObject({ code: 0 });
  });

  it('is not upgraded with changes that are not committed', async () => {
    const { code, output } = await sh(onPackages('npx sluice upgrade'));
    expect([code, output]).toEqual([1, expect.stringMatching(/^Commit or stash what is changed/)]);
    expect(await sh('git commit --quiet --message "A product"')).toMatchObject({ code: 0 });
  });

  it('is upgraded, after it was shown what would change', async () => {
    const [dryRun = '', upgrade = ''] = onPackages(blocks[0] ?? '').split('\n');
    const planned = await sh(dryRun);
    expect([planned.code, await sh('git status --porcelain')]).toEqual([0, { code: 0, output: '' }]);
    const { code, output } = await sh(upgrade);
    expect([code, output]).toEqual([0, expect.stringContaining('.dockerignore: updated')]);
    const announced = planned.output.split('\n').slice(1);
    expect(output.split('\n')).toEqual(expect.arrayContaining(announced));
    expect(output).toContain('apps/api/src/home/home.controller.ts: AboutService is ProgramService');
    expect(output).toContain('tsconfig.json: updated');
    expect(output).toContain('applies accounts/0099-note');
    expect(output).toContain('programs of 0.1.0 run on the migrated store');
  });

  it('has the edits of its team with those of the release', async () => {
    expect(await read('Dockerfile')).toMatch(/EXPOSE 3000 3001\n[^]*# Ours\.\n$/);
  });

  it('compiles, passes its tests, and is committed', async () => {
    const { code, output } = await sh(blocks[1] ?? '');
    expect([code, output]).toEqual([0, expect.stringMatching(/Test Files .*5 passed/)]);
    expect(await sh('npm run format:check && git status --porcelain')).toMatchObject({ code: 0 });
    expect(await read('tsconfig.json')).toContain('@app/pricing');
  });

  it('is at the release already, the next time', async () => {
    const { code, output } = await sh(onPackages('npx sluice upgrade'));
    expect([code, output]).toEqual([0, 'This workspace is at 0.2.0 already.']);
  });

  it('has its rows in the migrated store', async () => {
    expect(await writeNote('Of 0.2.0')).toEqual(['Of 0.1.0', 'Of 0.2.0']);
    expect((await sh('npx sluice migrate --list')).output).toMatch(/accounts\/0099-note$/m);
  });

  it('is rolled back by git, on the migrated store', async () => {
    expect(await sh(blocks[2] ?? '')).toMatchObject({ code: 0 });
    expect(await sh('git diff --exit-code HEAD~2')).toEqual({ code: 0, output: '' });
    expect(await writeNote('Of 0.1.0 again')).toEqual(['Of 0.1.0', 'Of 0.1.0 again', 'Of 0.2.0']);
  });

  it('keeps both edits of a line that the release has changed too, and can be put back', async () => {
    const settings = await read('.npmrc');
    await writeFile(join(shop, '.npmrc'), settings.replace('loglevel=error', 'loglevel=silent'));
    expect(await sh('git commit --all --quiet --message "Quiet"')).toMatchObject({ code: 0 });
    const { code, output } = await sh(onPackages('npx sluice upgrade'));
    expect([code, output]).toEqual([1, expect.stringContaining('.npmrc: conflicts with your edits')]);
    expect(await read('.npmrc')).toContain('loglevel=silent\n=======\nloglevel=warn\n');
    expect(await sh(blocks[3] ?? '')).toMatchObject({ code: 0 });
    expect(await sh('git status --porcelain && npx sluice upgrade 0.1.0 --packages ../packages')).toEqual({
      code: 0,
      output: 'This workspace is at 0.1.0 already.',
    });
  });
});
