import { type ErrorReply, HttpError } from '@app/http-errors';
import {
  BadRequestException,
  ForbiddenException,
  HttpException,
  InternalServerErrorException,
  ServiceUnavailableException,
} from '@nestjs/common';
import { type IngressApp, type IngressAppOptions, openIngressApp } from '../../testing/ingress-app';
import { IngressAppController, thrown } from '../../testing/ingress-app.controller';
import { BrokenUtf8Error } from '../http/errors';

const fixed = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** An error as our libraries throw it. */
class Replying extends HttpError {
  constructor(readonly reply: ErrorReply) {
    super('inside');
  }
}
const answering = (reply: ErrorReply) => () => new Replying(reply);
const invalid = answering({
  status: 400,
  message: ['email must be an email', 'slug must be a string'],
  details: [
    { field: 'email', messages: ['email must be an email'] },
    { field: 'slug', messages: ['slug must be a string'] },
  ],
});

describe('an error', () => {
  const apps: IngressApp[] = [];
  afterEach(async () => {
    await Promise.all(apps.splice(0).map((app) => app.close()));
    thrown.clear();
  });

  const openApp = async (options?: IngressAppOptions) => {
    const app = await openIngressApp([IngressAppController], options);
    apps.push(app);
    return app;
  };
  const replyTo = async (makeError: () => unknown, options?: IngressAppOptions) => {
    const app = await openApp(options);
    thrown.set('it', makeError);
    const response = await fetch(`${app.url}/throw/it`);
    return { app, response, status: response.status, body: await response.text() };
  };

  it.each([
    [() => new ForbiddenException(), 403, 'Forbidden', 'Forbidden'],
    [() => new ForbiddenException('not you', 'Nope'), 403, 'not you', 'Forbidden'],
    [() => new HttpException('short and stout', 418), 418, 'short and stout', "I'm a Teapot"],
    [() => new HttpException({ message: 'odd', more: 'x' }, 409), 409, 'odd', 'Conflict'],
    [() => new HttpException({ more: 'x' }, 409), 409, 'Http Exception', 'Conflict'],
    [() => new BadRequestException(['a', 'b']), 400, ['a', 'b'], 'Bad Request'],
    [
      answering({ status: 409, message: 'email is already taken' }),
      409,
      'email is already taken',
      'Conflict',
    ],
  ])(
    'of a handler is answered as {statusCode, message, error}: %s',
    async (makeError, statusCode, message, error) => {
      const { status, body } = await replyTo(makeError);
      expect(status).toBe(statusCode);
      expect(body).toBe(JSON.stringify({ statusCode, message, error }));
    },
  );

  it('of validation lists its messages, or has them per field with ERROR_SHAPE=details', async () => {
    expect((await replyTo(invalid)).body).toBe(
      '{"statusCode":400,"message":["email must be an email","slug must be a string"],"error":"Bad Request"}',
    );
    expect((await replyTo(invalid, { form: { ERROR_SHAPE: 'details' } })).body).toBe(
      '{"statusCode":400,"error":"Bad Request","details":[{"field":"email","messages":["email must be an email"]},' +
        '{"field":"slug","messages":["slug must be a string"]}]}',
    );
  });

  it('of validation has no messages when they are off', async () => {
    const off = { ERROR_MESSAGES: 'off' } as const;
    expect((await replyTo(invalid, { form: off })).body).toBe('{"statusCode":400,"message":"Bad Request"}');
    expect((await replyTo(invalid, { form: { ...off, ERROR_SHAPE: 'details' } })).body).toBe(
      '{"statusCode":400,"error":"Bad Request","details":[]}',
    );
  });

  it('has the headers of its reply', async () => {
    const { response } = await replyTo(
      answering({ status: 429, message: 'slow', headers: { 'Retry-After': '7' } }),
    );
    expect(response.headers.get('retry-after')).toBe('7');
  });

  it('has the right Content-Length', async () => {
    const { body, response } = await replyTo(answering({ status: 409, message: 'schon vergeben: größer' }));
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(body)));
    expect(Buffer.byteLength(body)).toBeGreaterThan(body.length);
  });

  it('with 503 is logged once a second for each kind, with their count', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { app } = await replyTo(answering({ status: 503, message: 'later' }));
    for (let count = 0; count < 29; count += 1) await app.app.inject({ url: '/throw/it' });
    vi.advanceTimersByTime(1000);
    vi.useRealTimers();
    expect(app.lines).toMatchObject([
      { level: 'warn', message: 'request failed' },
      { level: 'warn', message: 'request failed', fields: { count: 29 } },
    ]);
    expect(app.lines).toHaveLength(2);
  });

  it('with 503 has Retry-After, and its cause is logged', async () => {
    const cause = new Error('connect ECONNREFUSED');
    const { app, response, body } = await replyTo(() => new ServiceUnavailableException('later', { cause }));
    expect(body).toBe('{"statusCode":503,"message":"later","error":"Service Unavailable"}');
    expect(response.headers.get('retry-after')).toBe('5');
    expect(app.lines).toMatchObject([{ level: 'warn', fields: { err: { cause } } }]);
  });

  it('that is unhandled is logged with its stack; a rejection is not logged', async () => {
    const { app } = await replyTo(() => new Error('unforeseen'));
    expect(app.lines).toHaveLength(1);
    expect((app.lines[0].fields.err as Error).stack).toMatch(/\n\s+at .*error-responses\.spec\.ts/);
    const rejected = await replyTo(() => new BrokenUtf8Error());
    expect(rejected.status).toBe(400);
    expect(rejected.app.lines).toEqual([]);
    expect(new BrokenUtf8Error().stack).not.toMatch(/\n\s+at /);
  });

  it.each([
    ['an Error', () => new Error('select "password_hash" from account')],
    ['a 500 of Nest', () => new InternalServerErrorException('select "password_hash" from account')],
    ['a string', () => 'select "password_hash" from account'],
    ['null', () => null],
    [
      'an error with a reply that is not an HttpError',
      () => Object.assign(new Error('inside'), { reply: { status: 409, message: 'select "password_hash"' } }),
    ],
    [
      'an error with a status',
      () => Object.assign(new Error('password_hash'), { statusCode: 400, code: 'X' }),
    ],
  ])(
    'that is unhandled, %s, is a 500 with a request id, and its cause is logged once',
    async (_, makeError) => {
      const { app, status, body, response } = await replyTo(makeError);
      const { requestId, ...rest } = JSON.parse(body);
      expect(status).toBe(500);
      expect(rest).toEqual({
        statusCode: 500,
        message: 'Internal server error',
        error: 'Internal Server Error',
      });
      expect(app.lines).toMatchObject([
        { level: 'error', fields: { requestId, method: 'GET', route: '/throw/:name' } },
      ]);
      expect(Object.fromEntries(response.headers)).toMatchObject(fixed);
    },
  );

  it('during a response closes the connection, not the service', async () => {
    const app = await openApp();
    await expect(fetch(`${app.url}/half`).then((response) => response.text())).rejects.toThrow('terminated');
    expect(app.lines).toMatchObject([{ level: 'error', message: 'error after headers sent' }]);
    expect((await fetch(`${app.url}/query`)).status).toBe(200);
  });

  it('after a response does not change it', async () => {
    const app = await openApp();
    expect(await (await fetch(`${app.url}/whole`)).text()).toBe('all of it');
    expect(app.lines).toMatchObject([{ level: 'error', message: 'error after headers sent' }]);
  });

  it('for an unknown path repeats the path without the query string', async () => {
    const app = await openApp();
    const response = await fetch(`${app.url}/nope?token=secret`);
    expect(await response.text()).toBe('{"statusCode":404,"message":"Cannot GET /nope","error":"Not Found"}');
  });

  it('has the fixed headers, like every other response', async () => {
    const app = await openApp();
    for (const path of ['/query', '/nope', '/throw/it', '/part/%zz', '/query?%zz']) {
      const response = await fetch(`${app.url}${path}`);
      expect(Object.fromEntries(response.headers)).toMatchObject(fixed);
    }
  });
});
