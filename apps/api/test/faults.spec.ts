import { connect } from 'node:net';
import { Passwords } from '@app/auth';
import { forgeToken } from '@app/auth/testing';
import { newEmail } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';

const password = 'correct horse battery staple';
const secret = 'a secret that the tests know, so that they can forge';
const unauthorized = '{"statusCode":401,"message":"Unauthorized"}';

/**
 * Known faults of a service from standard components, tested on the whole program. Process faults (signals, closed pipes) are
 * tested on a build in `test/builds/programs.spec.ts`.
 */
describe('the known faults of standard components', () => {
  const api = bootApi({ env: { JWT_SECRET: secret } });
  const now = Math.floor(Date.now() / 1000);

  async function claims(): Promise<Record<string, unknown>> {
    const { userId } = (await (await api.administrator()).get('/auth/profile')).json;
    return { sub: userId, username: api.administratorEmail, iat: now, exp: now + 50 };
  }

  async function answerTo(token: string): Promise<string> {
    return (await api().as(token).get('/auth/profile')).text;
  }

  it('1: rejects an HS384 or HS512 token with the right secret', async () => {
    const payload = await claims();
    expect(JSON.parse(await answerTo(forgeToken({ payload, secret })))).toHaveProperty('userId');
    for (const [alg, hash] of [
      ['HS384', 'sha384'],
      ['HS512', 'sha512'],
    ] as const) {
      expect(await answerTo(forgeToken({ header: { alg }, payload, secret, hash }))).toBe(unauthorized);
    }
  });

  it('2: rejects a token with an unknown critical header', async () => {
    const payload = await claims();
    for (const extra of [{ crit: ['exp'] }, { crit: [] }, { b64: false }]) {
      expect(await answerTo(forgeToken({ header: { alg: 'HS256', ...extra }, payload, secret }))).toBe(
        unauthorized,
      );
    }
  });

  it('3: rejects a token without expiry', async () => {
    const { exp, ...payload } = await claims();
    expect(exp).toEqual(expect.any(Number));
    for (const odd of [undefined, '9999999999', null, now + 365 * 86_400]) {
      expect(await answerTo(forgeToken({ payload: { ...payload, exp: odd }, secret }))).toBe(unauthorized);
    }
  });

  it('4: rejects a token whose subject is not an id', async () => {
    const { sub: _sub, ...payload } = await claims();
    for (const sub of [undefined, null, {}, [], '1', 0, -1, 1.5, true]) {
      expect(await answerTo(forgeToken({ payload: { ...payload, sub }, secret }))).toBe(unauthorized);
    }
    for (const odd of [[], 's', 1, null]) {
      expect(await answerTo(forgeToken({ payload: odd, secret }))).toBe(unauthorized);
    }
  });

  it('5: does the same work for an unknown user, and answers the same (P5)', async () => {
    const compared = vi.spyOn(api.app().get(Passwords, { strict: false })['hasher'], 'verify');
    const login = (username: string) => api().post('/auth/login', { username, password });
    const [existing, unknown] = [await login(api.administratorEmail), await login(newEmail())];
    const cost = expect.stringMatching(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/);
    expect(compared.mock.calls.map(([hash]) => hash)).toEqual([cost, cost]);
    expect([existing.status, existing.text]).toEqual([unknown.status, unknown.text]);
    expect([...existing.headers.keys()]).toEqual([...unknown.headers.keys()]);
    compared.mockRestore();
  });

  it('6: rejects a password with a trailing NUL', async () => {
    const email = newEmail();
    await api().post('/users', { email, password });
    for (const wrongPassword of [`${password}\0`, `${password}\0\0`, password.slice(0, -1)]) {
      expect((await api().post('/auth/login', { username: email, password: wrongPassword })).text).toBe(
        unauthorized,
      );
    }
  });

  it('7: rejects a body nested thousands of levels deep', async () => {
    const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;
    for (const body of [deep, '['.repeat(50_000), `{"items":${'['.repeat(40)}${']'.repeat(40)}}`]) {
      expect((await sendRaw('/users', body)).statusCode).toBe(400);
    }
  });

  it('8: rejects an unpaired surrogate in an e-mail, a password or a name', async () => {
    for (const body of ['{"email":"a\\ud800@b.co","password":"12345678"}', '{"\\udfff":1}']) {
      expect((await sendRaw('/users', body)).statusCode).toBe(400);
    }
  });

  it('9: sends WWW-Authenticate with each 401', async () => {
    const answers = [
      await api().get('/items'),
      await api().as('nonsense').get('/items'),
      await api().post('/auth/login', { username: 'nobody', password: 'nothing' }),
    ];
    for (const { status, text, headers } of answers) {
      expect([status, text, headers.get('www-authenticate')]).toEqual([401, unauthorized, 'Bearer']);
    }
  });

  // A program with uploads gives them an hour; its other routes still have thirty seconds (upload.spec.ts).
  it('10: limits the time to receive headers, and uploads', () => {
    const { requestTimeout, headersTimeout } = api.app().getHttpServer();
    expect(requestTimeout).toBeGreaterThan(0);
    expect(requestTimeout).toBeLessThanOrEqual(60 * 60_000);
    expect(headersTimeout).toBeGreaterThan(0);
    expect(headersTimeout).toBeLessThanOrEqual(60_000);
  });

  it('14: rejects a login from a form', async () => {
    const { statusCode, body } = await sendRaw('/auth/login', 'username=a&password=b', {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect([statusCode, JSON.parse(body).error]).toEqual([415, 'Unsupported Media Type']);
  });

  it('15: answers a body of hundreds of unknown fields with fifty messages, and of thousands with one', async () => {
    const unknown = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`field${n}`, 1]));
    const { status, json, text } = await api().post('/users', unknown(900));
    expect([status, json.message.length, text.length < 5000]).toEqual([400, 50, true]);
    expect(json.message.at(-1)).toMatch(/\b853\b/);
    expect((await api().post('/users', unknown(5000))).json.message).toHaveLength(1);
  });

  it('16: reports fields that are named like members of Object', async () => {
    for (const field of ['toString', 'valueOf', 'hasOwnProperty', 'then', 'isPrototypeOf']) {
      const { status, json } = await api().post('/users', { email: newEmail(), password, [field]: 1 });
      expect([status, json.message]).toEqual([400, [`property ${field} should not exist`]]);
    }
    for (const field of ['constructor', '__proto__', 'prototype']) {
      const { statusCode } = await sendRaw('/users', `{"email":"a@example.com","${field}":{"admin":true}}`);
      expect([field, statusCode]).toEqual([field, 400]);
    }
  });

  it('17: rejects two Host fields, and invalid UTF-8', async () => {
    const twoHosts = await sayRaw('GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n');
    expect(twoHosts).toMatch(/^HTTP\/1\.1 400 /);
    const broken = Buffer.concat([Buffer.from('{"email":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    expect((await sendRaw('/users', broken)).statusCode).toBe(400);
  });

  it('rejects two valid Authorization fields', async () => {
    const field = `Authorization: Bearer ${forgeToken({ payload: await claims(), secret })}\r\n`;
    const head = 'GET /auth/profile HTTP/1.1\r\nHost: a\r\nConnection: close\r\n';
    expect(await sayRaw(`${head}${field}\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await sayRaw(`${head}${field}${field}\r\n`)).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('still serves requests afterwards', async () => {
    expect((await api().get('/health')).status).toBe(200);
  });

  async function sendRaw(
    url: string,
    body: string | Buffer,
    headers = { 'content-type': 'application/json' },
  ) {
    return api.app().inject({ method: 'POST', url, payload: body, headers });
  }

  /** Sends raw bytes, and returns the whole response. */
  async function sayRaw(words: string): Promise<string> {
    const { port, hostname } = new URL(api().url);
    const socket = connect(Number(port), hostname).setEncoding('utf8');
    socket.write(words);
    let heard = '';
    for await (const part of socket) heard += part;
    return heard;
  }
});
