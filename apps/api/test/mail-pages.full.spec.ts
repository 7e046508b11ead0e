import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { Outbox } from '@app/mail';
import { newEmail } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';

const executablePath = [process.env['CHROMIUM'], '/usr/bin/chromium'].find(
  (place) => place !== undefined && existsSync(place),
);
const another = 'another pass phrase';

describe.runIf(executablePath === undefined)('the page of a reset link', () => {
  it('was not tested: Chromium is not installed (apt-get install chromium)', () => {
    expect(executablePath).toBeUndefined();
  });
});

describe.runIf(executablePath !== undefined)('the page of a reset link', { timeout: 180_000 }, () => {
  const api = bootApi();

  it('sets the password once, and says why it does not', async () => {
    const email = newEmail();
    await api().post('/users', { email, password: 'correct horse battery staple' });
    await api().post('/auth/password-resets', { username: email });
    const [mail] = await api.app().get(Outbox, { strict: false }).list({ limit: 1, offset: 0 });
    const link = (mail?.text?.link ?? '').replace('http://localhost:3000', api().url);

    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    const page = await browser.newPage();
    const submit = async (password: string) => {
      await page.getByLabel('New password').fill(password);
      await page.getByRole('button').click();
    };
    await page.goto(link);
    await submit('short');
    await page.getByText('password must be longer').waitFor();
    await submit(another);
    await page.getByText('The new password is set').waitFor();
    expect((await api().post('/auth/login', { username: email, password: another })).status).toBe(200);
    await page.reload();
    await submit(`${another} again`);
    await page.getByText('this link is not valid').waitFor();
    await browser.close();
  });
});
