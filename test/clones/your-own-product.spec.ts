import { globSync } from 'node:fs';
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { version } from '../../tools/pack/modules/versions.mts';
import { endProcesses, readUrl, run, start } from '../builds/processes';
import { fencesOf } from '../pages/markdown';

const root = join(__dirname, '../..');
/** Written by `sluice generate`, or by npm. */
const generated = /(openapi|\.lock|package-lock)\.json$|descriptions\.ts$/;

let folder: string;
let shop: string;
let created: Awaited<ReturnType<typeof run>>;
let blocks: readonly string[];
let expected: readonly string[];
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'sluice-product-')));
  shop = join(folder, 'shop');
  const packages = inject('packages');
  env = { npm_execpath: join(__dirname, 'npm-by-links.cjs'), PORT: '0' };
  const fences = fencesOf(await readFile(join(root, 'docs/guides/your-own-product.md'), 'utf8'));
  const textsIn = (wanted: string) =>
    fences.flatMap(({ language, text }) => (language === wanted ? text : []));
  blocks = textsIn('sh');
  expected = textsIn('json');
  const [create = ''] = blocks;
  const command = `node ${packages}/create/create-sluice.cjs shop --packages ${packages}`;
  created = await sh(folder, create.replace(/^npm --prefix.*\nnpx .*$/m, command));
}, 300_000);
afterAll(async () => {
  await endProcesses();
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
});

function sh(cwd: string, script: string) {
  return run('sh', ['-ec', script], { cwd, env });
}

/** The files that a team owns, relative to its workspace. */
async function ownFiles(): Promise<string[]> {
  const entries = await readdir(shop, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(shop.length + 1))
    .filter((path) => !/^(node_modules|dist|data)\//.test(path) && !generated.test(path));
}

/** The page's blocks, in their order. */
describe('a workspace that create-sluice has made, by the blocks of its guide', () => {
  it('is created, with a hint how to run it', () => {
    expect(created).toMatchObject({ code: 0, output: expect.stringMatching(/^created shop\. Run it:/m) });
  });

  it('has at most 40 files and 800 lines, of which none is a lib', async () => {
    const files = await ownFiles();
    const texts = await Promise.all(files.map((path) => readFile(join(shop, path), 'utf8')));
    const lines = texts.map((text) => text.split('\n').length - 1).reduce((sum, count) => sum + count, 0);
    expect(files).toEqual(
      expect.arrayContaining(['.github/workflows/ci.yml', '.gitignore', '.npmrc', 'Dockerfile', 'README.md']),
    );
    expect(files.length).toBeLessThanOrEqual(40);
    expect(lines).toBeLessThanOrEqual(800);
    expect(texts.filter((text) => text.includes('__NAME__') || /'@app\//.test(text))).toEqual([]);
  });

  it('runs, and answers as the guide says', async () => {
    const [, command = '', requests = ''] = blocks;
    const program = start('sh', ['-ec', command], { cwd: shop, env });
    const url = await program.hear(readUrl);
    const { code, output } = await sh(shop, requests.replaceAll('localhost:3000', new URL(url).host));
    const atAnyTime = output.replace(/"createdAt":"[^"]+"/, '"createdAt":"2026-11-24T09:30:00.000Z"');
    expect([code, `${atAnyTime}\n`]).toEqual([0, expected[0]]);
    program.signal('SIGTERM', 'its group');
    await program.ended;
  });

  it('gets a resource, a field, a rule, a library, a plugin and rows for development, and passes its tests', async () => {
    const { code, output } = await sh(shop, blocks[3] ?? '');
    expect([code, output]).toEqual([0, expect.stringMatching(/Test Files .*9 passed/)]);
    expect(output).toContain('created apps/api/src/products, with the migration 0002-products.');
    expect(output).toMatch(/^added to \/products, with the migrations? 0003-products-available-on/m);
    expect(output).toMatch(/^created apps\/api\/src\/rules\/is-sku\.ts, with its spec/m);
    expect(output).toMatch(
      /^added 3 boards\nadded 3 notes\nadded 3 products\nsign in as admin@example\.com: /m,
    );
    expect(output).toContain('created apps/api/src/price-list, and listed it in the program.');
    expect(output).toContain('created apps/api/src/boards, with the migration 0005-boards.');
    expect(output).toMatch(/^created libs\/pricing\. Import it as @app\/pricing$/m);
    const store = await readFile(join(shop, 'apps/api/src/products/products.store.ts'), 'utf8');
    expect(store).toContain("from '@sluice/service/persistence';");
  });

  it('describes its routes, with the comments of the libs', async () => {
    const { code, output } = await sh(shop, blocks[4] ?? '');
    expect([code, output]).toEqual([0, expect.stringMatching(/^POST +\/products +jwt, role admin/m)]);
    expect(output).toMatch(/every generated file is up to date\napi: the contract has no faults$/);
    const { paths, components } = JSON.parse(await readFile(join(shop, 'apps/api/openapi.json'), 'utf8'));
    expect(paths['/auth/logout'].post).toMatchObject({ summary: expect.stringMatching(/\w/) });
    expect(paths['/users'].post.summary).toBe('Signs up');
    expect(components.schemas.SignedUp.properties.ok.description).toBe(
      'Always `true`, in the minimal response.',
    );
    expect(components.schemas.CreateProduct.properties.status.enum).toEqual(['draft', 'sold']);
  });

  it('is formatted, compiles, and is built', async () => {
    const [build = '', startProd] = (blocks[5] ?? '').split(/^(?=npm run start:prod)/m);
    expect(await sh(shop, build)).toMatchObject({ code: 0 });
    const program = start('sh', ['-ec', startProd ?? ''], { cwd: shop, env });
    const response = await fetch(await program.hear(readUrl));
    expect(await response.text()).toBe('shop 0.1.0 (api)');
    program.signal('SIGTERM', 'its group');
    await program.ended;
  });

  it('is packed into a folder that runs, and answers as the guide says', async () => {
    const [pack = '', command = '', requests = ''] = blocks.slice(6);
    const { code, output } = await sh(shop, pack);
    expect([code, output]).toEqual([0, expect.stringMatching(/^packed in dist\/packed\/api: \d+ files/m)]);
    expect(output).toMatch(/^called \d{2,} operations of its document, and \d+ of them signed in$/m);
    const program = start('sh', ['-ec', command], { cwd: shop, env });
    const url = await program.hear(readUrl);
    const called = await sh(shop, requests.replaceAll('localhost:3000', new URL(url).host));
    const atAnyTime = called.output.replace(/"createdAt":"[^"]+"/, '"createdAt":"2026-11-24T09:30:00.000Z"');
    expect([called.code, `${atAnyTime}\n`]).toEqual([0, expected[1]]);
    program.signal('SIGTERM', 'its group');
    await program.ended;
  });

  it('is attacked', async () => {
    const { code, output } = await sh(shop, blocks[9] ?? '');
    expect(code).toBe(0);
    expect(output).toMatch(/^PASS {2}authorization: another’s ids/m);
    expect(output).toMatch(/^\d+ passed, 0 failed, \d+ skipped$/m);
  });

  it('passes the drills of its guide, by a resource of its own', async () => {
    const { code, output } = await sh(shop, blocks[10] ?? '');
    expect([code, output]).toEqual([0, expect.stringMatching(/^PASS {2}unhandled-error on sqlite/m)]);
    expect(output).toMatch(/^PASS {2}lost-administrator on sqlite/m);
    expect(output).toMatch(/^SKIP {2}unhandled-error on postgres, 0 s\n +needs a PostgreSQL server/m);
    expect(output).toMatch(/^2 passed, 0 failed, 2 skipped$/m);
  });

  it('has a typed client', async () => {
    const { code, output } = await sh(shop, blocks[11] ?? '');
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/dist\/packages\/shop-api-client-0\.1\.0\.tgz$/),
    ]);
    const client = join(shop, 'dist/packages/client');
    const types = await readFile(join(client, 'index.d.ts'), 'utf8');
    expect(types).toMatch(/'\/products\/\{id\}'|"\/products\/\{id\}"/);
    const { createClient } = await import(join(client, 'index.js'));
    const sent: string[] = [];
    const fetch = async ({ method, url }: Request) => {
      sent.push(`${method} ${url}`);
      return Response.json({ items: [] });
    };
    await createClient({ baseUrl: 'http://shop.example', fetch }).GET('/products');
    expect(sent).toEqual(['GET http://shop.example/products']);
  });

  it('passes the checks that its AGENTS.md names', async () => {
    const page = await readFile(join(shop, 'AGENTS.md'), 'utf8');
    const commands = [...page.matchAll(/`(np[mx] [^`]+)`/g)].map(([, command]) => command);
    expect(commands).toContain('npm test');
    const others = commands.filter((command) => !blocks.join('\n').split('\n').includes(command));
    expect(await sh(shop, others.join('\n'))).toMatchObject({ code: 0 });
    const folders = [...page.matchAll(/`(?:node_modules|apps|libs)\/[^`]+`/g)].map(([path]) =>
      path.slice(1, -1),
    );
    expect(folders.length).toBeGreaterThan(2);
    expect(folders.filter((path) => globSync(path, { cwd: shop }).length === 0)).toEqual([]);
  });

  it.each(['swc', 'tsc'])('is built by %s', async (builder) => {
    expect(await sh(shop, `npm run build -- api -b ${builder}`)).toMatchObject({ code: 0 });
    const program = start('npm', ['run', 'start:prod'], { cwd: shop, env });
    expect((await fetch(await program.hear(readUrl))).status).toBe(200);
    program.signal('SIGTERM', 'its group');
    await program.ended;
  });

  it('has the commands of a program, on its store, from any folder of the workspace', async () => {
    const commands = [
      'migrate --list',
      'check-store',
      'backup backup.tar',
      'audit',
      'admin-reset --email grace@example.com',
    ];
    const { code, output } = await sh(
      join(shop, 'apps/api'),
      commands.map((command) => `npx sluice ${command}`).join('\n'),
    );
    expect([code, output.split('\n')]).toEqual([
      0,
      expect.arrayContaining([
        expect.stringMatching(/^\S+ {2}api\/0001-notes$/),
        './data/sluice.db is not damaged',
        './data/sluice.db is backed up in backup.tar',
        expect.stringMatching(/^the audit log is intact:/),
        'grace@example.com is an administrator. The account was created.',
      ]),
    ]);
  });

  it.each([
    ['apps/api', 'nothing', 'nothing is not a command.'],
    ['..', 'routes', `is in no workspace: there is no nest-cli.json`],
    ['.', 'new lib auth', 'auth is taken: it is a lib of @sluice/service'],
    ['.', 'new rule is-sku ^ 1', 'apps/api/src/rules/is-sku.ts already exists'],
    ['.', 'seed --count 0', '--count is a whole number from 1'],
    ['.', 'seed --app api', 'POST /products was refused with 409'],
    ['.', 'new resource note title:text', 'apps/api/src/notes already exists'],
  ])('has commands that say what they cannot do, in %s: %s', async (place, command, problem) => {
    const cli = join(shop, 'node_modules/@sluice/cli/sluice.cjs');
    const { code, output } = await sh(join(shop, place), `node ${cli} ${command}`);
    expect([code, output]).toEqual([1, expect.stringContaining(problem)]);
  });

  it.each([
    ['Shop_1', 'Name one workspace: lowercase words, joined by dashes, such as my-shop.'],
    ['shop', 'is not empty.'],
    ['other --packages .', `sluice-service-${version}.tgz is not in `],
  ])('is not created where it cannot be: %s', async (args, problem) => {
    const create = join(inject('packages'), 'create/create-sluice.cjs');
    const { code, output } = await sh(folder, `node ${create} ${args}`);
    expect([code, output]).toEqual([1, expect.stringContaining(problem)]);
  });

  it('compiles its wire classes by the one engine', async () => {
    const program = `
      const { CreateProduct } = require('./dist/apps/api/apps/api/src/products/products.dto.js');
      const { explain } = require('@sluice/service/engine');
      console.log(explain(CreateProduct).input.how);`;
    const explained = await run(process.execPath, ['-e', program], { cwd: shop });
    expect(explained).toEqual({ code: 0, output: 'code' });
  });
});
