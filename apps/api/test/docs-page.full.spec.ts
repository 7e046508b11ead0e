import { makePng, newEmail, totpCode } from '@app/service/testing';
import axe from 'axe-core';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { bootApi } from '../testing/boot-api';

/** The paths of Linux distributions; `CHROMIUM` overrides them. */
const places = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium-browser',
];
const executablePath = places.find((place) => place !== undefined && existsSync(place));

/** The default of APP_URL, whose host passkeys belong to. */
const appUrl = 'http://localhost:3000';

/** A platform authenticator whose user agrees. */
const authenticator = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
} as const;

/** The colors of the page. */
const modes = [
  ['light', 'rgb(255, 255, 255)'],
  ['dark', 'rgb(28, 32, 34)'],
] as const;

const picturePath = join(__dirname, '../../../docs/pictures/reference.png');

/** Draws two PNG pictures at 40 by 25 pixels in the browser, and returns the mean difference of their channels, from 0 to 255. */
async function differenceOf(browser: Browser, pictures: readonly Buffer[]): Promise<number> {
  const urls = pictures.map((picture) => `data:image/png;base64,${picture.toString('base64')}`);
  const page = await browser.newPage();
  const difference = await page.evaluate<number>(`(async () => {
    const read = async (url) => {
      const image = await createImageBitmap(await (await fetch(url)).blob());
      const context = new OffscreenCanvas(40, 25).getContext('2d');
      context.imageSmoothingQuality = 'high';
      context.drawImage(image, 0, 0, 40, 25);
      return context.getImageData(0, 0, 40, 25).data;
    };
    const [first, second] = await Promise.all(${JSON.stringify(urls)}.map(read));
    return first.reduce((sum, value, index) => sum + Math.abs(value - second[index]), 0) / first.length;
  })()`);
  await page.close();
  return difference;
}

/** The response that an operation shows after its request. */
async function responseOf(operation: Locator): Promise<unknown> {
  const body = operation.locator('.live-responses-table .response-col_description pre').first();
  await body.waitFor();
  return JSON.parse(await body.innerText());
}

describe.runIf(executablePath === undefined)('the page of the API reference', () => {
  it('was not tested in a browser: Chromium is not installed (apt-get install chromium)', () => {
    expect(executablePath).toBeUndefined();
  });
});

describe.runIf(executablePath !== undefined)('the page of the API reference', { timeout: 180_000 }, () => {
  const api = bootApi();
  let browser: Browser;

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  }, 180_000);
  afterAll(() => browser.close());

  /** Opens the page, and records its errors and its requests to other origins. */
  async function open(options: Parameters<Browser['newPage']>[0] = {}) {
    const page = await browser.newPage(options);
    const complaints: string[] = [];
    const strangers: string[] = [];
    const { url } = api();
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => {
      if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(url))
        strangers.push(request.url());
    });
    await page.goto(`${url}/docs`);
    await page.waitForSelector('#operations-users-usersMe');
    return { page, complaints, strangers };
  }

  const signIn = async (page: Page) => {
    await page.fill('#username', api.administratorEmail);
    await page.fill('#password', api.administratorPassword);
    await page.click('#enter');
    await page.locator('#state', { hasText: 'Signed in as' }).waitFor();
  };

  it('signs in, calls GET /users/me, sends a file, and shows examples, without errors or requests to other origins', async () => {
    const { page, complaints, strangers } = await open();
    await signIn(page);
    const me = page.locator('#operations-users-usersMe');
    await me.locator('button.opblock-summary-control').click();
    await me.locator('button.try-out__btn').waitFor();
    expect(await me.locator('button.execute').count()).toBe(0);
    await me.locator('button.try-out__btn').click();
    await me.locator('button.execute').click();
    expect(await responseOf(me)).toEqual({ id: expect.any(Number), email: api.administratorEmail });

    const picture = page.locator('#operations-users-picturesReplace');
    await picture.locator('button.opblock-summary-control').click();
    await picture.locator('button.try-out__btn').click();
    const bytes = makePng();
    await picture
      .locator('input[type=file]')
      .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: bytes });
    await picture.locator('button.execute').click();
    expect(await responseOf(picture)).toMatchObject({ bytes: bytes.length });

    const item = page.locator('#operations-items-itemsRead');
    await item.locator('button.opblock-summary-control').click();
    const example = item.locator('.responses-inner .highlight-code').first();
    await example.waitFor();
    expect(JSON.parse(await example.innerText())).toEqual({
      id: 42,
      sku: 'TEA-100',
      name: 'Green tea',
      price: 1999,
      createdAt: '2026-01-31T12:00:00.000Z',
    });

    await page.click('#leave');
    await page.waitForSelector('#enter:visible');
    expect([complaints, strangers]).toEqual([[], []]);
    await page.close();
  });

  it('looks like the picture in the README: PICTURES=write renews it', async () => {
    const { page } = await open({ viewport: { width: 1000, height: 625 }, colorScheme: 'light' });
    await page.evaluate(`document.querySelector('#operations-tag-items').scrollIntoView()`);
    const picture = await page.screenshot({ type: 'png' });
    if (process.env['PICTURES'] === 'write') writeFileSync(picturePath, picture);
    expect(await differenceOf(browser, [readFileSync(picturePath), picture])).toBeLessThan(6);
    await page.close();
  });

  it('shows why a sign-in failed, and how long to wait', async () => {
    const { page } = await open();
    const state = (text: string) => page.locator('#state', { hasText: text }).waitFor();
    await page.fill('#username', api.administratorEmail);
    await page.fill('#password', 'not the password');
    await page.click('#enter');
    await state('Not signed in: the e-mail or the password is wrong');
    const headers = { 'retry-after': '600' };
    await page.route('**/auth/sessions', (route) => route.fulfill({ status: 429, headers, body: '{}' }));
    await page.click('#enter');
    await state('too many attempts, try again in 10 minutes');
    await page.unroute('**/auth/sessions');
    await page.route('**/auth/sessions', (route) => route.abort());
    await page.click('#enter');
    await state('Not signed in: the service cannot be reached');
    expect(await page.innerText('#state')).toBe('Not signed in: the service cannot be reached');
    await page.close();
  });

  it('signs in with a second factor, after a wrong code too', async () => {
    const [email, password] = [newEmail(), 'correct horse battery staple'];
    await api().post('/users', { email, password });
    const user = await api().signIn(email, password);
    const { secret } = (await user.post('/auth/factors/totp')).json;
    const { recoveryCodes } = (await user.post('/auth/factors/totp/confirm', { code: totpCode(secret) }))
      .json;
    const { page, complaints } = await open();
    const state = (text: string) => page.locator('#state', { hasText: text }).waitFor();
    await page.fill('#username', email);
    await page.fill('#password', password);
    await page.click('#enter');
    await state('Enter a code of your authenticator application, or a recovery code');
    expect(await page.isHidden('#username')).toBe(true);
    await page.fill('#code', 'not-a-code');
    await page.click('#enter');
    await state('the second factor is wrong');
    await page.fill('#code', recoveryCodes[0]);
    await page.click('#enter');
    await state(`Signed in as ${email}`);
    await page.click('#leave');
    await page.waitForSelector('#username:visible');
    // Chromium reports the 401 of the wrong code.
    expect(complaints).toEqual([expect.stringContaining('401')]);
    await page.close();
  });

  it('signs in with a passkey as the second factor', async () => {
    const [email, password] = [newEmail(), 'correct horse battery staple'];
    await api().post('/users', { email, password });
    const user = await api().signIn(email, password);
    // Passkeys belong to the host of APP_URL, so the page is opened there.
    const page = await browser.newPage();
    await page.route(`${appUrl}/**`, async (route) => {
      const request = route.request();
      const url = request.url().replace(appUrl, api().url);
      await route.fulfill({ response: await route.fetch({ url }) });
    });
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', { options: authenticator });
    await page.goto(`${appUrl}/docs`);
    const { options } = (await user.post('/auth/factors/passkeys')).json;
    const credential = await page.evaluate<object>(`(async () => {
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(${JSON.stringify(options)});
      return (await navigator.credentials.create({ publicKey })).toJSON();
    })()`);
    expect((await user.post('/auth/factors/passkeys/confirm', { credential })).status).toBe(200);

    await page.fill('#username', email);
    await page.fill('#password', password);
    await page.click('#enter');
    await page.locator('#state', { hasText: 'Use a passkey, or enter a code' }).waitFor();
    await page.click('#passkey');
    await page.locator('#state', { hasText: `Signed in as ${email}` }).waitFor();
    expect(await page.isHidden('#passkey')).toBe(true);
    await page.close();
  });

  it('lists the resources of the application first, reads before changes, and an example of each error', async () => {
    const { page } = await open();
    const tags = await page.locator('.opblock-tag').evaluateAll((all) => all.map((tag) => tag.dataset.tag));
    expect(tags.slice(tags.indexOf('auth'))).toEqual([
      'auth',
      'invitations',
      'organizations',
      'users',
      'health',
    ]);
    expect(tags.indexOf('items')).toBeLessThan(tags.indexOf('auth'));
    expect(await page.locator('#operations-tag-items .renderedMarkdown').innerText()).toBe(
      'The items for sale.',
    );
    const methods = page.locator('#operations-tag-items ~ * .opblock-summary-method');
    const names = await methods.allInnerTexts();
    expect(names.indexOf('GET')).toBeLessThan(names.indexOf('DELETE'));

    const signUp = page.locator('#operations-users-signUpCreate');
    await signUp.locator('button.opblock-summary-control').click();
    const conflict = signUp.locator('tr.response[data-code="409"]');
    await conflict.locator('.highlight-code').waitFor();
    const example = async () => JSON.parse(await conflict.locator('.highlight-code').innerText());
    const described = { statusCode: 409, error: 'Conflict' };
    expect(await example()).toEqual({ ...described, message: 'Another account has this e-mail' });
    await conflict.locator('select.examples-select-element').selectOption('conflict');
    expect(await example()).toEqual({ ...described, message: 'Conflict' });
    await page.close();
  });

  it('opens an operation and sends a request by the keyboard alone', async () => {
    const { page, complaints } = await open();
    await page.focus('#username');
    await page.keyboard.type(api.administratorEmail);
    await page.keyboard.press('Tab');
    await page.keyboard.type(api.administratorPassword);
    await page.keyboard.press('Enter');
    await page.locator('#state', { hasText: 'Signed in as' }).waitFor();
    const operation = page.locator('#operations-users-usersMe');
    await operation.locator('button.opblock-summary-control').focus();
    await page.keyboard.press('Enter');
    for (const button of ['try-out__btn', 'execute']) {
      await operation.locator(`button.${button}`).focus();
      await page.keyboard.press('Enter');
    }
    await operation.locator('.live-responses-table pre').first().waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  it.each(modes)(
    'has no violation that axe-core finds, and fits on a phone, in %s mode',
    async (colorScheme, background) => {
      const { page, complaints } = await open({ colorScheme, bypassCSP: true });
      await page.click('#operations-items-itemsList button.opblock-summary-control');
      await page.click('#operations-posts-postsCreate button.opblock-summary-control');
      await page.click('#operations-posts-postsCreate button.try-out__btn');
      await page.waitForSelector('#operations-posts-postsCreate button.execute');
      await page.evaluate(axe.source);
      const violations = await page.evaluate<string[]>(
        `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, any }) => id + ' ' + target + ' ' + any.map(({ message }) => message))))`,
      );
      expect(violations).toEqual([]);
      await page.setViewportSize({ width: 360, height: 740 });
      const [width, color] = await page.evaluate<[number, string]>(
        `[document.documentElement.scrollWidth, getComputedStyle(document.body).backgroundColor]`,
      );
      expect(width).toBeLessThanOrEqual(360);
      expect(color).toBe(background);
      expect(complaints).toEqual([]);
      await page.close();
    },
  );
});

describe.runIf(executablePath !== undefined)(
  'the page of the API reference, for callers only',
  { timeout: 180_000 },
  () => {
    const api = bootApi({ env: { DOCS: 'signed-in' } });

    it('shows the reference after the sign-in, and calls GET /users/me', async () => {
      const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
      const page = await browser.newPage();
      await page.goto(`${api().url}/docs`);
      await page.locator('#state', { hasText: 'Sign in to read the reference' }).waitFor();
      await page.fill('#username', api.administratorEmail);
      await page.fill('#password', api.administratorPassword);
      await page.click('#enter');
      await page.locator('#operations-users-usersMe button.opblock-summary-control').click();
      await page.click('#operations-users-usersMe button.try-out__btn');
      await page.click('#operations-users-usersMe button.execute');
      const body = page.locator('#operations-users-usersMe .live-responses-table pre').first();
      await body.waitFor();
      expect(JSON.parse(await body.innerText())).toMatchObject({ email: api.administratorEmail });
      await browser.close();
    });
  },
);
