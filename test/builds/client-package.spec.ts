import { makePng } from '@app/service/testing';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { temporaryDatabase, type TemporaryDatabase } from '@app/persistence/testing';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { build, preview, type PreviewServer } from 'vite';
import { packClient } from '../../tools/pack/client/pack.mts';
import { inject } from 'vitest';
import { browserApplication } from '../package/browser-application';
import { endProcesses, run } from './processes';
import { startProgram } from './programs';

const root = join(__dirname, '../..');
const places = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-headless-shell'];
const executablePath = places.find((place) => place !== undefined && existsSync(place));
/** `api` is built there. */
const workspace = inject('builds')[0]?.workspace ?? '';
const password = 'correct horse battery staple';
const png = [...makePng()];

describe('the package of the client', () => {
  let folder = '';
  let database: TemporaryDatabase;
  let server: PreviewServer;
  let origin = '';
  let api = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-client-'));
    await packClient({ application: 'api', name: '@sluice/client' }, join(folder, 'package'));
    await installPackage();
    for (const [name, text] of Object.entries(browserApplication)) await writeFile(join(folder, name), text);
    const output = { root: folder, configFile: false, logLevel: 'silent' } as const;
    await build({ ...output, base: './' });
    server = await preview({ ...output, preview: { port: 0, host: '127.0.0.1' } });
    origin = new URL(server.resolvedUrls?.local[0] ?? '').origin;
    database = await temporaryDatabase();
    const settings = {
      DATABASE_URL: database.url,
      CORS_ORIGINS: origin,
      UPLOAD_DIR: join(folder, 'uploads'),
    };
    ({ url: api } = await startProgram(workspace, 'api', settings));
  });
  afterAll(async () => {
    await endProcesses();
    await server.close();
    await database.remove();
    await rm(folder, { recursive: true, force: true });
  });

  async function installPackage(): Promise<void> {
    const modules = join(folder, 'node_modules');
    await cp(join(folder, 'package'), join(modules, '@sluice/client'), { recursive: true });
    for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
      await symlink(join(root, 'node_modules', name), join(modules, name), 'dir');
  }

  it('has types that a strict compiler accepts, with the libraries of browsers alone', async () => {
    const options = [
      '--noEmit',
      '--strict',
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
      '--target',
      'es2022',
    ];
    const libraries = [
      '--lib',
      'es2022,dom,dom.iterable,dom.asynciterable',
      '--types',
      '',
      '--erasableSyntaxOnly',
    ];
    const tsc = join(root, 'node_modules/typescript-native/bin/tsc');
    const checked = await run(process.execPath, [tsc, ...options, ...libraries, 'main.ts'], { cwd: folder });
    expect(checked).toEqual({ code: 0, output: '' });
  });

  it('runs in Node, as an ES module', async () => {
    await mkdir(join(folder, 'in-node'), { recursive: true });
    const file = join(folder, 'in-node/main.mjs');
    const text = `import { createClient } from '@sluice/client';
const client = createClient({ baseUrl: process.env.API });
console.log((await client.GET('/health/live')).response.status, (await client.GET('/users/me')).response.status);`;
    await writeFile(file, text);
    const { output } = await run(process.execPath, [file], { cwd: folder, env: { API: api } });
    expect(output).toBe('200 401');
  });

  describe.runIf(executablePath !== undefined)(
    'in an application of Vite, on another origin than api',
    () => {
      let browser: Browser;
      let context: BrowserContext;
      beforeAll(async () => {
        browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
      });
      beforeEach(async () => (context = await browser.newContext()));
      afterEach(() => context.close());
      afterAll(() => browser.close());

      async function open(): Promise<Page> {
        const page = await context.newPage();
        await page.goto(`${origin}/?api=${encodeURIComponent(api)}`);
        await page.waitForFunction('globalThis.application !== undefined');
        return page;
      }

      const call = (page: Page, name: string, ...args: unknown[]): Promise<unknown> =>
        page.evaluate(`application.${name}(...${JSON.stringify(args)})`);

      it('signs up, uploads a file, reads a list to its end, and stays signed in after a reload', async () => {
        const page = await open();
        expect(await call(page, 'signUp', 'ada@example.com', password)).toEqual({
          ok: true,
          email: 'ada@example.com',
        });
        expect(await call(page, 'upload', png)).toBe(png.length);
        expect(await call(page, 'upload', [1, 2, 3])).toBe(415);
        const slugs = ['one', 'two', 'three', 'four', 'five'];
        expect(await call(page, 'publish', slugs)).toEqual(slugs.toReversed());
        await page.reload();
        expect(await call(page, 'me')).toBe('ada@example.com');
      });

      it('shares its session between tabs: they get the same tokens, and one signs all out', async () => {
        const first = await open();
        await call(first, 'signUp', 'bob@example.com', password);
        // As if the access token had been stored long ago.
        await first.evaluate(`localStorage.setItem('sluice.session',
        JSON.stringify({ ...JSON.parse(localStorage.getItem('sluice.session')), refreshedAt: 0 }))`);
        const tabs = [await open(), await open(), await open()];
        const refreshes: Promise<string>[] = [];
        context.on('response', (response) => {
          if (response.request().method() === 'POST' && response.url().endsWith('/auth/refresh'))
            refreshes.push(response.text());
        });
        const emails = await Promise.all(tabs.map((tab) => call(tab, 'me')));
        expect(emails).toEqual(Array(3).fill('bob@example.com'));
        // A tab may not see at once what another one stored; it then gets the same refresh token again.
        const tokens = (await Promise.all(refreshes)).map(
          (text) => /"refresh_token":"[^"]+"/.exec(text)?.[0],
        );
        expect([...new Set(tokens)]).toEqual([expect.any(String)]);
        await call(tabs[0] ?? first, 'signOut');
        expect(await call(tabs[1] ?? first, 'me')).toBe(401);
        expect(await call(await open(), 'me')).toBe(401);
      });
    },
  );
});
