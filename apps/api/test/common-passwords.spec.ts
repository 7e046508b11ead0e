import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Outbox } from '@app/mail';
import { Logger } from '@nestjs/common';
import { newEmail, type Reply } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';

const [common, phrase, another] = ['Football1', 'correct horse battery staple', 'another phrase'];

describe('a common password, with PASSWORD_LIST=common', () => {
  const api = bootApi({ env: { PASSWORD_LIST: 'common' } });
  const rejected = {
    statusCode: 400,
    message: 'this password is one of the most common ones: choose another',
    error: 'Bad Request',
  };
  const signIn = (username: string, password: string): Promise<Reply> =>
    api().post('/auth/login', { username, password });

  it('is rejected at sign-up, whether or not the e-mail is taken', async () => {
    const email = newEmail();
    expect((await api().post('/users', { email, password: common })).json).toEqual(rejected);
    expect((await api().post('/users', { email, password: phrase })).status).toBe(201);
    expect((await api().post('/users', { email, password: common })).json).toEqual(rejected);
    expect((await signIn(email, common)).status).toBe(401);
  });

  it('is rejected if it is hardly more than the e-mail or the name of the service', async () => {
    const email = `ada.lovelace-${newEmail()}`;
    const sent = (password: string) => api().post('/users', { email, password });
    for (const password of [
      email,
      email.toUpperCase(),
      'AdaLovelace2024',
      'lovelace-lovelace',
      'localhost99',
    ])
      expect((await sent(password)).json.message).toMatch(/^this password is hardly more than your e-mail/);
    const { headers, status } = await sent('lovelace wrote the first program');
    expect(status).toBe(201);
    const user = await api().signIn(email, 'lovelace wrote the first program');
    const path = headers.get('location') ?? '';
    expect((await user.patch(path, { email, password: 'Lovelace1815' })).status).toBe(400);
    const change = { email: 'charles.babbage@example.com', password: 'Babbage1791' };
    expect((await user.patch(path, change)).status).toBe(400);
  });

  it('is rejected by a change, which changes nothing', async () => {
    const email = newEmail();
    const { headers } = await api().post('/users', { email, password: phrase });
    const user = await api().signIn(email, phrase);
    const change = { email: newEmail(), password: common };
    expect((await user.patch(headers.get('location') ?? '', change)).json).toEqual(rejected);
    expect((await signIn(email, phrase)).status).toBe(200);
  });

  it('is rejected by a reset, whose link works for another one', async () => {
    const email = newEmail();
    await api().post('/users', { email, password: phrase });
    await api().post('/auth/password-resets', { username: email });
    const [mail] = await api.app().get(Outbox, { strict: false }).list({ limit: 1, offset: 0 });
    const token = mail?.text?.link?.split('#token=')[1] ?? '';
    const complete = (password: string) => api().post('/auth/password-resets/complete', { token, password });
    expect((await complete(common)).json).toEqual(rejected);
    expect((await complete(another)).status).toBe(204);
    expect((await signIn(email, another)).status).toBe(200);
  });
});

describe('a breached password, with PASSWORD_RANGE_URL', () => {
  const breached = 'a phrase that was stolen once';
  const requests: IncomingMessage[] = [];
  let fault: ((response: ServerResponse) => void) | undefined;
  const ranges = createServer((request, response) => {
    requests.push(request);
    if (fault) return fault(response);
    const digest = createHash('sha1').update(breached).digest('hex').toUpperCase();
    const padding = createHash('sha1').update(phrase).digest('hex').toUpperCase();
    const suffixes = [`${digest.slice(5)}:12`, `${padding.slice(5)}:0`, `${'0'.repeat(35)}:3`];
    response.end(suffixes.join('\r\n'));
  });
  const env: Record<string, string> = {};
  beforeAll(async () => {
    await new Promise<void>((resolve) => {
      ranges.listen(0, '127.0.0.1', resolve);
    });
    env.PASSWORD_RANGE_URL = `http://127.0.0.1:${(ranges.address() as AddressInfo).port}/range`;
  });
  afterAll(() => {
    ranges.closeAllConnections();
    ranges.close();
  });
  beforeEach(() => {
    requests.length = 0;
    fault = undefined;
  });
  const api = bootApi({ env });
  const signUp = (password: string) => api().post('/users', { email: newEmail(), password });

  it('is rejected, and the service is sent five digits of its hash', async () => {
    expect((await signUp(breached)).json).toEqual({
      statusCode: 400,
      message: 'this password is known from a data breach: choose another',
      error: 'Bad Request',
    });
    const [request] = requests;
    expect([request?.url, request?.headers['add-padding']]).toEqual([
      expect.stringMatching(/^\/range\/[0-9A-F]{5}$/),
      'true',
    ]);
  });

  it('is told from those of the padding, and from others', async () => {
    for (const password of [phrase, another]) expect((await signUp(password)).status).toBe(201);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['does not respond', () => {}],
    ['fails', (response) => response.writeHead(500).end()],
    ['redirects', (response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end()],
    ['sends too much', (response) => response.end('0'.repeat(300_000))],
    ['sends something else', (response) => response.end('<html>')],
  ])('is accepted while the service %s', async (_, respond) => {
    fault = respond;
    expect((await signUp(breached)).status).toBe(201);
  });
});

describe.each([
  ['off', 1],
  ['common', 0],
])('the log of a program in production with PASSWORD_LIST=%s', (PASSWORD_LIST, times) => {
  const logged: string[] = [];
  beforeAll(() => {
    vi.spyOn(Logger.prototype, 'warn').mockImplementation((line) => logged.push(String(line)));
  });
  bootApi({ env: { NODE_ENV: 'production', PASSWORD_LIST } });

  it('recommends the list if it is not set', () => {
    expect(logged.filter((line) => line.includes('PASSWORD_LIST=common'))).toHaveLength(times);
  });
});
