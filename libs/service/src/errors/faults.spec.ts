import { InvalidInputError } from '@app/contract';
import { once } from 'node:events';
import { Body, Controller, HttpCode, Post, UnauthorizedException } from '@nestjs/common';
import { type IngressApp, openIngressApp } from '../../testing/ingress-app';
import { IngressAppController, thrown } from '../../testing/ingress-app.controller';
import { readReplies, openConnection, sendRaw } from '../../testing/raw-http';
/** A login that accepts any input. */
@Controller('auth')
class LoginController {
  @Post('login')
  @HttpCode(200)
  login(@Body() body: unknown): object {
    return { body };
  }
}

/** Faults of NestJS on Fastify with its defaults, which the ingress corrects. One test each. */
describe('a fault of the stock stack', () => {
  let app: IngressApp;
  beforeEach(async () => (app = await openIngressApp([IngressAppController, LoginController])));
  afterEach(() => app.close());

  const post = (path: string, body: string | Uint8Array<ArrayBuffer>, type = 'application/json') =>
    fetch(`${app.url}${path}`, { method: 'POST', headers: { 'content-type': type }, body });

  it('7: a body nested 5,000 deep is a 400, not a stack overflow', async () => {
    const response = await post('/echo', `${'['.repeat(5000)}${']'.repeat(5000)}`);
    expect(await response.json()).toEqual({
      statusCode: 400,
      message: 'the body must not be nested more than 32 levels deep',
      error: 'Bad Request',
    });
  });

  it('8: an unpaired surrogate in a value or a key is a 400, not a URIError', async () => {
    for (const body of ['{"email":"a\\ud800@b.co"}', '{"a\\udc00":1}', '["\\ud83d\\ud83d\\ude00"]']) {
      const response = await post('/echo', body);
      expect(await response.json()).toEqual({
        statusCode: 400,
        message: 'the body must be well-formed Unicode: it holds half of a surrogate pair',
        error: 'Bad Request',
      });
    }
    expect((await post('/echo', '{"email":"\\ud83d\\ude00@b.co"}')).status).toBe(201);
  });

  it('9: a 401 has WWW-Authenticate', async () => {
    thrown.set('401', () => new UnauthorizedException('the token has expired at noon'));
    const response = await fetch(`${app.url}/throw/401`);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await response.text()).toBe('{"statusCode":401,"message":"Unauthorized"}');
  });

  it('10: a body that is sent too slowly is a 408', async () => {
    const limits = { requestTimeoutMs: 100, headersTimeoutMs: 100, timeoutCheckMs: 20 };
    const hasty = await openIngressApp([IngressAppController], { limits });
    const head =
      'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n';
    const [reply] = await sendRaw(hasty.port, head, '{"a"');
    expect(reply.status).toBe(408);
    expect(JSON.parse(reply.body)).toEqual({
      statusCode: 408,
      message: 'the request took too long to arrive',
      error: 'Request Timeout',
    });
    await hasty.close();
  });

  it('13: an aborted upload is not logged as an error', async () => {
    const received = once(app.app.getHttpServer(), 'request');
    const socket = await openConnection(app.port);
    socket.write(
      'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a"',
    );
    const [request] = await received;
    socket.resetAndDestroy();
    await new Promise((resolve) => request.once('close', resolve));
    expect(app.lines).toMatchObject([{ level: 'debug', message: 'client aborted request' }]);
  });

  it('14: a login sent as a form, or as text, is a 415', async () => {
    for (const type of [
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/form-data; boundary=x',
    ]) {
      const response = await post('/auth/login', 'username=a%40b.co&password=secret', type);
      expect(response.status).toBe(415);
    }
  });

  it('15: a reply about thousands of validation errors stays small', async () => {
    const message = Array.from(
      { length: 5000 },
      (_, at) => `property ${'k'.repeat(600)}${at} should not exist`,
    );
    thrown.set('many', () => new InvalidInputError(message, [], () => ({ listed: [], omitted: 0 })));
    const body = await (await fetch(`${app.url}/throw/many`)).text();
    expect(body.length).toBeLessThan(32 * 1024);
    expect(JSON.parse(body).message).toHaveLength(50);
    expect(JSON.parse(body).message[49]).toBe('4951 more messages were left out');
  });

  it('17: a second Host header is a 400', async () => {
    const [reply] = await sendRaw(
      app.port,
      'GET /query HTTP/1.1\r\nHost: a\r\nhost: b\r\nConnection: close\r\n\r\n',
    );
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.body).message).toBe('send exactly one valid Host header');
  });

  it('17: a body that is not UTF-8 is rejected, not repaired', async () => {
    for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xf5, 0x80, 0x80, 0x80]]) {
      const response = await post('/echo', Buffer.from([0x22, ...bytes, 0x22]));
      expect(await response.json()).toMatchObject({
        statusCode: 400,
        message: 'the body must be valid UTF-8',
      });
    }
  });

  it('closes a connection that timed out, and the service stays up', async () => {
    const limits = { requestTimeoutMs: 100, headersTimeoutMs: 100, timeoutCheckMs: 20 };
    const hasty = await openIngressApp([IngressAppController], { limits });
    const socket = await openConnection(hasty.port);
    socket.write('GET /query HTTP/1.1\r\nHost');
    expect(await readReplies(socket)).toMatchObject([{ status: 408 }]);
    expect((await fetch(`${hasty.url}/query`)).status).toBe(200);
    await hasty.close();
  });
});
