import { randomBytes } from 'node:crypto';
import { type IngressApp, openIngressApp } from '../../../testing/ingress-app';
import { IngressAppController } from '../../../testing/ingress-app.controller';
import { type RawReply, sendRaw } from '../../../testing/raw-http';

const maxBytes = 100 * 1024;

const errorBody = (statusCode: number, message: string | string[], error: string) => ({
  status: statusCode,
  body: { statusCode, message, error },
});
const badRequest = (message: string | string[]) => errorBody(400, message, 'Bad Request');
const unsupported = errorBody(
  415,
  'send the body as application/json, in UTF-8 and without Content-Encoding',
  'Unsupported Media Type',
);

describe('the body of a request', () => {
  let app: IngressApp;
  beforeAll(async () => (app = await openIngressApp([IngressAppController])));
  afterAll(() => app.close());

  const send = async (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
    const all = { 'content-type': 'application/json', ...headers };
    const response = await fetch(`${app.url}/echo`, { method: 'POST', headers: all, body });
    return { status: response.status, body: await response.json() };
  };

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
    'is read if its type is %s',
    async (type) => {
      expect(await send('{"a":"ä€😀"}', { 'content-type': type })).toEqual({
        status: 201,
        body: { body: { a: 'ä€😀' } },
      });
    },
  );

  it.each([
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-8; charset=utf-16',
    'application/vnd.api+json',
    'application/json-patch+json',
    'text/plain',
    'text/json',
    'multipart/form-data; boundary=x',
    'json',
    '*/*',
  ])('is rejected with 415 when its type is %s', async (type) => {
    expect(await send('{}', { 'content-type': type })).toEqual(unsupported);
  });

  it('is rejected with 415 without a type', async () => {
    const [reply] = await sendRaw(
      app.port,
      'POST /echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}',
    );
    expect(reply).toMatchObject({ status: 415, body: JSON.stringify(unsupported.body) });
  });

  it('is rejected with 415 when it is compressed', async () => {
    expect(await send('{}', { 'content-encoding': 'gzip' })).toEqual(unsupported);
    expect(await send('{}', { 'content-encoding': 'identity' })).toMatchObject({ status: 201 });
  });

  it('may be missing, with or without a type', async () => {
    expect(await send('')).toEqual({ status: 201, body: { nothing: true } });
    for (const method of ['POST', 'DELETE']) {
      const response = await fetch(`${app.url}/echo`, { method });
      expect(await response.json()).toEqual({ nothing: true });
    }
  });

  it.each(['null', '5', '"text"', '[1,2]', ' {"a" : 1}\n'])(
    'may be %s: the pipe validates it',
    async (json) => {
      expect(await send(json)).toEqual({ status: 201, body: { body: JSON.parse(json) } });
    },
  );

  it('may begin with a byte order mark', async () => {
    expect(await send('\uFEFF{"a":1}')).toEqual({ status: 201, body: { body: { a: 1 } } });
  });

  it('has the last of two values with the same key', async () => {
    expect(await send('{"a":1,"a":2}')).toEqual({ status: 201, body: { body: { a: 2 } } });
  });

  it.each([
    ['{"password":"secret', 'look at line 1, column 20'],
    ['{"a":1', 'look at line 1, column 7'],
    ['{\n"a":1,\n}', 'look at line 3, column 1'],
    ['{"a":1} x', 'look at line 1, column 9'],
    [' ', 'it ends too early'],
    ['{"password":hunter2}', undefined],
  ])('that is not JSON, %j, is rejected with a position and without quoting it', async (body, hint) => {
    const message = `the body must be valid JSON${hint === undefined ? '' : `: ${hint}`}`;
    expect(await send(body)).toEqual(badRequest(message));
  });

  it('is rejected when a key could cause prototype pollution, at any depth and with escapes', async () => {
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      const rejected = badRequest([`property ${key} should not exist`]);
      expect(await send(`{"${key}":{"isAdmin":true}}`)).toEqual(rejected);
      expect(await send(`{"a":[1,{"b":{"${key}":1}}]}`)).toEqual(rejected);
      expect(await send(`{"\\u00${key.charCodeAt(0).toString(16)}${key.slice(1)}":1}`)).toEqual(rejected);
    }
    expect(await send('{"a":"__proto__"}')).toMatchObject({ status: 201 });
  });

  it('may have exactly the maximum length', async () => {
    const text = 'x'.repeat(maxBytes - 2);
    expect(await send(`"${text}"`)).toEqual({ status: 201, body: { body: text } });
  });

  it('is rejected with 413 when it is one byte longer', async () => {
    const tooLarge = errorBody(413, 'the body must not be longer than 102400 bytes', 'Payload Too Large');
    expect(await send(`"${'x'.repeat(maxBytes - 1)}"`)).toEqual(tooLarge);
  });

  it('has the same limit when it is sent in chunks', async () => {
    expect(await sendChunked(app.port, `"${'x'.repeat(maxBytes - 2)}"`)).toMatchObject([{ status: 201 }]);
    expect(await sendChunked(app.port, `"${'x'.repeat(maxBytes - 1)}"`)).toMatchObject([{ status: 413 }]);
  });

  it('that is longer than Content-Length is read up to Content-Length', async () => {
    const head =
      'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n';
    const replies = await sendRaw(app.port, `${head}{}{"more":1}`);
    expect(replies).toMatchObject([{ status: 201, body: '{"body":{}}' }]);
  });

  it.each(['NaN', '-1', '2, 3', '1e1'])('is rejected when its Content-Length is %s', async (length) => {
    const head = `POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}`;
    const [reply] = await sendRaw(app.port, `${head}\r\n\r\n{}`);
    expect(reply).toMatchObject({ status: 400 });
    expect(JSON.parse(reply.body)).toEqual(badRequest('the request must be valid HTTP/1.1').body);
  });

  it('is ignored for an unknown path', async () => {
    const response = await fetch(`${app.url}/nope`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"a":',
    });
    expect(await response.json()).toEqual({
      statusCode: 404,
      message: 'Cannot POST /nope',
      error: 'Not Found',
    });
  });

  it('of random bytes is never a 5xx', async () => {
    for (let round = 0; round < 300; round++) {
      const { status } = await send(mangle(round));
      expect([201, 400]).toContain(status);
    }
    expect(app.lines.filter(({ level }) => level !== 'debug')).toEqual([]);
  });
});

function sendChunked(port: number, body: string): Promise<RawReply[]> {
  const head = 'POST /echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n';
  const rest = `${(body.length - 1).toString(16)}\r\n${body.slice(1)}\r\n0\r\n\r\n`;
  return sendRaw(port, `${head}Transfer-Encoding: chunked\r\n\r\n`, `1\r\n${body[0]}\r\n${rest}`);
}

/** Random bytes, and JSON in which some bytes are replaced. */
function mangle(round: number): Buffer<ArrayBuffer> {
  if (round % 3 === 0) return Buffer.from(randomBytes(1 + (round % 64)));
  const bytes = Buffer.from(
    '{"email":"a@b.co","items":[{"sku":"\\u00e4","quantity":"1"}],"n":-1.5e3,"t":true}',
  );
  for (const byte of randomBytes(1 + (round % 4))) bytes[byte % bytes.length] = randomBytes(1)[0]!;
  return bytes;
}
