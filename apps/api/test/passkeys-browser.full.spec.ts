import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { rolldown } from 'rolldown';
import type { createClient } from '@app/client';
import { newEmail } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';

const executablePath = [process.env['CHROMIUM'], '/usr/bin/chromium'].find(
  (place) => place !== undefined && existsSync(place),
);
const password = 'correct horse battery staple';

describe.runIf(executablePath === undefined)('passkeys of a browser', () => {
  it('were not tested: Chromium is not installed (apt-get install chromium)', () => {
    expect(executablePath).toBeUndefined();
  });
});

/** A page that has the client as a global. */
const html = `<!doctype html><title>app</title><script type="module">
import { createClient } from '/client.js';
globalThis.createClient = createClient;
</script>`;

/** The functions that the page offers. */
type Page = typeof globalThis & { readonly createClient: typeof createClient };

describe.runIf(executablePath !== undefined)('passkeys of a browser', { timeout: 180_000 }, () => {
  const env: Record<string, string> = {};
  let script = '';
  const pages = createServer(({ url }, response) => {
    const isScript = url === '/client.js';
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
    response.end(isScript ? script : html);
  });
  let browser: Browser;
  beforeAll(async () => {
    await new Promise<void>((resolve) => {
      pages.listen(0, 'localhost', resolve);
    });
    const page = `http://localhost:${(pages.address() as AddressInfo).port}`;
    Object.assign(env, { APP_URL: page, CORS_ORIGINS: page });
    const input = join(process.cwd(), 'libs/client/src/index.ts');
    const bundle = await rolldown({ input, platform: 'browser' });
    script = (await bundle.generate({ format: 'esm' })).output[0].code;
    await bundle.close();
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  }, 180_000);
  afterAll(async () => {
    await browser.close();
    pages.close();
  });
  const api = bootApi({ env });

  it('are enrolled, sign in without a user name, and are the second factor of a password', async () => {
    const username = newEmail();
    await api().post('/users', { email: username, password });
    const page = await browser.newPage();
    await page.goto(env['APP_URL'] ?? '');
    await page.waitForFunction(() => 'createClient' in globalThis);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      },
    });
    const result = await page.evaluate(
      async ({ baseUrl, username: name, password: word }) => {
        const { createClient: connect } = globalThis as Page;
        const first = connect({ baseUrl }).session;
        await first.signIn(name, word);
        const { id, recoveryCodes } = await first.addPasskey('the laptop');
        const alone = connect({ baseUrl });
        const pendingAlone = await alone.session.signInWithPasskey();
        const me = await alone.GET('/users/me');
        const second = connect({ baseUrl }).session;
        const pending = await second.signIn(name, word);
        const isOpenBefore = second.isOpen;
        if (pending) await second.completeWithPasskey(pending);
        return {
          id,
          codes: recoveryCodes.length,
          pendingAlone: pendingAlone ?? null,
          email: me.data?.email,
          factors: pending?.factors,
          isOpen: [isOpenBefore, second.isOpen],
        };
      },
      { baseUrl: api().url, username, password },
    );
    expect(result).toEqual({
      id: expect.stringMatching(/^passkey-\d+$/),
      codes: 10,
      pendingAlone: null,
      email: username,
      factors: ['passkey', 'recovery-code'],
      isOpen: [false, true],
    });
    await page.close();
  });
});
