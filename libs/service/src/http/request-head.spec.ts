import { type IngressApp, openIngressApp } from '../../testing/ingress-app';
import { IngressAppController } from '../../testing/ingress-app.controller';
import { type RawReply, sendRaw } from '../../testing/raw-http';

const withoutHost = { statusCode: 400, message: 'send exactly one valid Host header', error: 'Bad Request' };

describe('the head of a request', () => {
  let app: IngressApp;
  beforeAll(async () => (app = await openIngressApp([IngressAppController])));
  afterAll(() => app.close());

  const get = async (target: string, fields = 'Host: x\r\n', version = '1.1'): Promise<RawReply> =>
    (await sendRaw(app.port, `GET ${target} HTTP/${version}\r\n${fields}Connection: close\r\n\r\n`))[0];

  it.each<[string, 200 | 400]>([
    ['Host: example.com\r\n', 200],
    ['Host: example.com:3000\r\n', 200],
    ['Host: [::1]:3000\r\n', 200],
    ['Host: bücher.example\r\n', 400],
    ['Host:\r\n', 200],
    ['', 400],
    ['Host: a/b\r\n', 400],
    ['Host: a b\r\n', 400],
    ['Host: user@a\r\n', 400],
    ['Host: a\r\nHOST: a\r\n', 400],
  ])('with %j is answered with %i', async (fields, status) => {
    const bodies = { 200: '{}', 400: JSON.stringify(withoutHost) };
    expect(await get('/query', fields)).toMatchObject({ status, body: bodies[status] });
  });

  it('may lack Host in HTTP/1.0', async () => {
    expect(await get('/query', '', '1.0')).toMatchObject({ status: 200 });
  });

  it.each(['gzip, chunked', 'identity, chunked', 'gzip\r\nTransfer-Encoding: chunked'])(
    'must not ask for a transfer coding other than chunked: %j',
    async (coding) => {
      const type = 'Content-Type: application/json\r\n';
      const head = `POST /echo HTTP/1.1\r\nHost: x\r\n${type}Transfer-Encoding: ${coding}\r\n`;
      const [reply] = await sendRaw(app.port, `${head}Connection: close\r\n\r\n2\r\n{}\r\n0\r\n\r\n`);
      expect(reply).toMatchObject({ status: 501 });
    },
  );

  it('may have an absolute URL as target, whose host is used nowhere', async () => {
    expect(await get('http://evil.example/query?a=1')).toMatchObject({ status: 200, body: '{"a":"1"}' });
    expect((await get('http://evil.example/nowhere')).body).not.toContain('evil');
  });

  it('must not have Content-Type twice', async () => {
    const reply = await get(
      '/query',
      'Host: x\r\nContent-Type: text/plain\r\nContent-Type: application/json\r\n',
    );
    expect(JSON.parse(reply.body)).toEqual({
      statusCode: 400,
      message: 'send the header Content-Type once',
      error: 'Bad Request',
    });
  });

  it.each([
    '/query?a=%zz',
    '/query?a=%',
    '/query?a=%ff',
    '/query?a=%ED%A0%80',
    '/query?a=b%00c',
    '/query?%c3=1',
  ])('with the query string of %s is rejected', async (target) => {
    expect(JSON.parse((await get(target)).body)).toEqual({
      statusCode: 400,
      message: 'the query string must be percent-encoded UTF-8 without NUL',
      error: 'Bad Request',
    });
  });

  it.each([
    '/part/%zz',
    '/part/%ff',
    '/part/%ED%A0%80',
    '/part/a%00',
    '/%E0%A4%A',
    '/nope%00',
    '/part/%00?a=%00',
  ])('with the path %s is rejected', async (target) => {
    const reply = await get(target);
    expect(reply.headers.get('content-security-policy')).toBe(
      "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(JSON.parse(reply.body)).toEqual({
      statusCode: 400,
      message: 'the path must be percent-encoded UTF-8 without NUL',
      error: 'Bad Request',
    });
  });

  it.each(['/query?__proto__=1', '/query?a=1&%5F_proto__=1', '/nope?__proto__', '/query#__proto__=1'])(
    'with %s, which could cause prototype pollution, is rejected',
    async (target) => {
      expect(JSON.parse((await get(target)).body)).toEqual({
        statusCode: 400,
        message: ['property __proto__ should not exist'],
        error: 'Bad Request',
      });
    },
  );

  it('may contain such names in values', async () => {
    expect(await get('/query?a=__proto__&b=constructor%3D1')).toMatchObject({
      status: 200,
      body: '{"a":"__proto__","b":"constructor=1"}',
    });
  });

  it('may have a path parameter of 1024 characters, not more', async () => {
    expect(await get(`/part/${'x'.repeat(1024)}`)).toMatchObject({ status: 200 });
    const reply = await get(`/part/${'x'.repeat(1025)}`);
    expect(JSON.parse(reply.body)).toEqual({
      statusCode: 414,
      message: 'a part of the path must not be longer than 1024 characters',
      error: 'URI Too Long',
    });
  });

  it('is rejected with 431 when it is larger than 16 KiB', async () => {
    const reply = await get('/query', `Host: x\r\nX-Large: ${'x'.repeat(17 * 1024)}\r\n`);
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    expect(JSON.parse(reply.body)).toEqual({
      statusCode: 431,
      message: 'the header fields are too large',
      error: 'Request Header Fields Too Large',
    });
  });

  it.each([
    'GARBAGE\r\n\r\n',
    'GET /query HTTP/9.9\r\nHost: x\r\n\r\n',
    'FETCH /query HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /query HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n',
    'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
    'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    '\u0016\u0003\u0001\u0002',
  ])('that is not HTTP, %j, is rejected', async (text) => {
    const [reply] = await sendRaw(app.port, text);
    expect(reply.headers.get('connection')).toBe('close');
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(JSON.parse(reply.body)).toEqual({
      statusCode: 400,
      message: 'the request must be valid HTTP/1.1',
      error: 'Bad Request',
    });
  });

  it('that is not HTTP does not affect the reply to an earlier request', async () => {
    const replies = await sendRaw(app.port, 'GET /query?a=1 HTTP/1.1\r\nHost: x\r\n\r\nGARBAGE\r\n\r\n');
    expect(replies).toMatchObject([{ status: 200, body: '{"a":"1"}' }]);
  });

  it('may expect 100-continue only', async () => {
    expect(await get('/query', 'Host: x\r\nExpect: 100-continue\r\n')).toMatchObject({ status: 200 });
    const reply = await get('/query', 'Host: x\r\nExpect: wonders\r\n');
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    expect(JSON.parse(reply.body)).toEqual({
      statusCode: 417,
      message: 'the header Expect may only ask for 100-continue',
      error: 'Expectation Failed',
    });
  });

  it('may offer an upgrade, which is ignored', async () => {
    const fields = 'Host: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n';
    expect(await get('/query', fields)).toMatchObject({ status: 200 });
    expect(await sendRaw(app.port, 'CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n')).toEqual([]);
  });

  it('may have an absolute target; other forms are a 404', async () => {
    expect(await get('http://x/query?a=1')).toMatchObject({ status: 200, body: '{"a":"1"}' });
    expect(await get('*query')).toMatchObject({ status: 404 });
  });
});
