import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as forward } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import type { ApiClient } from '@app/client';
import { enrolTotp, newEmail } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';

const executablePath = [process.env['CHROMIUM'], '/usr/bin/chromium'].find(
  (place) => place !== undefined && existsSync(place),
);
const password = 'correct horse battery staple';

describe.runIf(executablePath === undefined)('a session cookie in a browser', () => {
  it('was not tested: Chromium is not installed (apt-get install chromium)', () => {
    expect(executablePath).toBeUndefined();
  });
});

/** A page that has a client as a global. */
const html = `<!doctype html><title>app</title><script type="module">
import { createClient } from '/client.js';
const baseUrl = 'https://api.shop.test:' + location.port;
globalThis.client = createClient({ baseUrl, storage: 'cookie' });
</script>`;

describe.runIf(executablePath !== undefined)('a session cookie in a browser', { timeout: 180_000 }, () => {
  const env: Record<string, string> = {};
  /** The requests to `api`: method, path, status, and `cookie` if the session cookie came with them. */
  let sent: string[] = [];
  let port = 0;
  /** The time that a refresh takes. */
  let refreshMs = 0;
  let script = '';
  const originOf = (host: string) => `https://${host}:${port}`;
  const folder = mkdtempSync(join(tmpdir(), 'sluice-tls-'));
  const files = { key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem') };
  const form = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'];
  execFileSync(
    'openssl',
    ['req', ...form, '-subj', '/CN=shop.test', '-keyout', files.key, '-out', files.cert],
    {
      stdio: 'ignore',
    },
  );
  /** Serves the pages on every host, and `api` on its own, as a proxy with TLS does. */
  const server = createServer(
    { key: readFileSync(files.key), cert: readFileSync(files.cert) },
    (request, response) => {
      if (!request.headers.host?.startsWith('api.')) {
        const isScript = request.url === '/client.js';
        response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
        response.end(isScript ? script : html);
        return;
      }
      const { method, url, headers } = request;
      const passed = forward(api().url + url, { method, headers }, (answer) => {
        const cookie = headers.cookie?.includes('__Host-session=') ? ' cookie' : '';
        sent.push(`${method} ${url} ${answer.statusCode}${cookie}`);
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        setTimeout(() => answer.pipe(response), url === '/auth/refresh' ? refreshMs : 0);
      });
      request.pipe(passed);
    },
  );
  let browser: Browser;
  let context: BrowserContext;

  beforeAll(async () => {
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    port = (server.address() as AddressInfo).port;
    Object.assign(env, { CORS_ORIGINS: `${originOf('app.shop.test')},${originOf('help.shop.test')}` });
    const input = join(process.cwd(), 'libs/client/src/index.ts');
    const bundle = await rolldown({ input, platform: 'browser' });
    script = (await bundle.generate({ format: 'esm' })).output[0].code;
    await bundle.close();
    const args = [
      '--no-sandbox',
      '--ignore-certificate-errors',
      '--host-resolver-rules=MAP *.test 127.0.0.1',
    ];
    browser = await chromium.launch({ executablePath, args });
  }, 180_000);
  beforeEach(async () => {
    context = await browser.newContext();
    sent = [];
    refreshMs = 0;
  });
  afterEach(() => context.close());
  afterAll(async () => {
    await browser.close();
    server.close();
    rmSync(folder, { recursive: true });
  });
  const api = bootApi({ env });

  async function signUp(): Promise<string> {
    const email = newEmail();
    await api().post('/users', { email, password });
    return email;
  }

  async function open(host = 'app.shop.test'): Promise<Page> {
    const page = await context.newPage();
    await page.goto(originOf(host));
    await ready(page);
    return page;
  }
  const ready = (page: Page) => page.waitForFunction(() => 'client' in globalThis);
  /** Runs a function with the page's client. */
  function run<T, A>(
    page: Page,
    use: (client: ApiClient, argument: A) => T,
    argument?: A,
  ): Promise<Awaited<T>> {
    const call = `(${use.toString()})(client, ${JSON.stringify(argument)})`;
    return page.evaluate(call) as Promise<Awaited<T>>;
  }
  const signIn = (page: Page, username: string) =>
    run(page, ({ session }, [name, word]) => session.signIn(name, word), [username, password] as const);
  const emailOn = (page: Page) => run(page, async (client) => (await client.GET('/users/me')).data?.email);
  const refreshes = () => sent.filter((line) => line.startsWith('POST /auth/refresh'));

  it('survives a reload, and no script can read the refresh token', async () => {
    const [email, page] = [await signUp(), await open()];
    await signIn(page, email);
    const readable = await page.evaluate('document.cookie + JSON.stringify({ ...localStorage })');
    expect(readable).toMatch(/^{"sluice.session":"{\\"access_token\\":/);
    expect(readable).not.toContain('refresh_token');
    await page.reload();
    await ready(page);
    expect(await emailOn(page)).toBe(email);
    const [cookie] = await context.cookies(originOf('api.shop.test'));
    expect(cookie).toMatchObject({
      name: '__Host-session',
      domain: 'api.shop.test',
      path: '/',
      httpOnly: true,
      secure: true,
      sameSite: 'Strict',
    });
    expect(await context.cookies(originOf('app.shop.test'))).toEqual([]);
  });

  it('is refreshed once by several tabs, and ends in all of them at sign-out', async () => {
    const [email, first] = [await signUp(), await open()];
    await signIn(first, email);
    await first.evaluate(() => {
      const stored: object = JSON.parse(localStorage.getItem('sluice.session') ?? '');
      localStorage.setItem('sluice.session', JSON.stringify({ ...stored, refreshedAt: 0 }));
    });
    const tabs = [await open(), await open(), await open()];
    refreshMs = 500;
    expect(await Promise.all(tabs.map(emailOn))).toEqual([email, email, email]);
    expect(refreshes()).toEqual(['POST /auth/refresh 200 cookie']);
    await run(first, ({ session }) => session.signOut());
    expect(await emailOn(await open())).toBeUndefined();
    expect(await context.cookies(originOf('api.shop.test'))).toEqual([]);
    expect(await run(first, ({ session }) => session.resume())).toBe(false);
  });

  it('continues on a second origin, also after a sign-in with a second factor', async () => {
    const [email, page] = [await signUp(), await open()];
    const { recoveryCodes } = await enrolTotp(await api().signIn(email, password));
    const pending = await signIn(page, email);
    expect(pending?.factors).toContain('recovery-code');
    await run(
      page,
      ({ session }, { code, ...step }) => session.complete(step, { factor: 'recovery-code', code }),
      { token: pending?.token ?? '', factors: [], code: recoveryCodes[0] ?? '' },
    );
    const help = await open('help.shop.test');
    expect(await emailOn(help)).toBeUndefined();
    expect(await run(help, ({ session }) => session.resume())).toBe(true);
    expect(await emailOn(help)).toBe(email);
  });

  it('stays the user who signed in, when another user signs in in a second tab', async () => {
    const [ada, bob] = [await signUp(), await signUp()];
    const [first, second] = [await open(), await open()];
    await signIn(first, ada);
    await signIn(second, bob);
    expect([await emailOn(first), await emailOn(second)]).toEqual([ada, bob]);
    await first.clock.install();
    await first.clock.fastForward(50_000);
    expect(await emailOn(first)).not.toBe(bob);
    expect(await emailOn(second)).toBe(bob);
  });

  it('is closed to pages of a sibling domain and of another site', async () => {
    const [email, page] = [await signUp(), await open()];
    await signIn(page, email);
    const base = originOf('api.shop.test');
    for (const host of ['evil.shop.test', 'evil.test']) {
      const evil = await open(host);
      sent = [];
      const read = await evil.evaluate(async (url) => {
        const send = (path: string, init: RequestInit) =>
          fetch(url + path, { method: 'POST', credentials: 'include', ...init }).then(
            ({ status }) => status,
            () => 'unreadable',
          );
        const headers = { 'content-type': 'text/plain' };
        return [
          await send('/auth/refresh', { mode: 'no-cors' }),
          await send('/auth/refresh', {}),
          await send('/auth/sessions', { mode: 'no-cors', headers, body: '{"transport":"cookie"}' }),
        ];
      }, base);
      expect(read).toEqual(['unreadable', 'unreadable', 'unreadable']);
      // Only the sibling's requests carry the cookie, and the program refuses them.
      const refused = host === 'evil.shop.test' ? '403 cookie' : '401';
      expect(refreshes()).toEqual([`POST /auth/refresh ${refused}`, `POST /auth/refresh ${refused}`]);
      // A cookie for the whole domain, as an attacker plants it.
      for (const name of ['__Host-session', 'session'])
        await evil.evaluate(`document.cookie = '${name}=planted; Domain=shop.test; Path=/; Secure'`);
    }
    sent = [];
    expect(await run(page, ({ session }) => session.isOpen)).toBe(true);
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await ready(page);
    expect(await run(page, ({ session }) => session.resume())).toBe(true);
    expect(await emailOn(page)).toBe(email);
    expect(refreshes()).toEqual(['POST /auth/refresh 200 cookie']);
  });
});
