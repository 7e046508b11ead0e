import { describeProblems } from '@app/service';
import { newEmail } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';

const asked = { accept: 'application/problem+json' };
const uuidUrn = expect.stringMatching(/^urn:uuid:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const password = 'correct horse battery staple';

/** The test client compares every response with the OpenAPI document, codes included. */
describe('errors as application/problem+json', () => {
  const api = bootApi();
  const anyone = () => api().with(asked);

  it('list each invalid value of a body: place, rule, arguments', async () => {
    const reply = await anyone().post('/users', { email: 'ada', password: 'short', admin: true });
    expect(reply.status).toBe(400);
    expect(reply.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(reply.headers.get('vary')).toBe('Accept');
    expect(reply.json).toEqual({
      type: '/problems/invalid-input',
      title: 'The request has invalid values',
      status: 400,
      detail: '3 values of the request are invalid',
      instance: `urn:uuid:${reply.headers.get('x-request-id')}`,
      code: 'invalid-input',
      errors: [
        {
          in: 'body',
          pointer: '/admin',
          code: 'unknownField',
          params: {},
          detail: 'property admin should not exist',
        },
        { in: 'body', pointer: '/email', code: 'isEmail', params: {}, detail: 'email must be an email' },
        {
          in: 'body',
          pointer: '/password',
          code: 'minLength',
          params: { min: 8 },
          detail: 'password must be longer than or equal to 8 characters',
        },
      ],
    });
  });

  it('name values within lists, in query strings and in paths', async () => {
    const client = (await api.newcomer()).with(asked);
    const items = [
      { sku: 'tea', quantity: '1' },
      { sku: 'cup', quantity: '' },
    ];
    const placesOf = async (path: string, body?: unknown) => {
      const { json } = body === undefined ? await client.get(path) : await client.post(path, body);
      return json.errors.map(({ in: place, pointer, code, params }: any) => [place, pointer, code, params]);
    };
    expect(await placesOf('/orders', { items })).toEqual([
      ['body', '/items/1/quantity', 'minLength', { min: 1 }],
    ]);
    expect(await placesOf('/items?limit=101&other=1')).toEqual([
      ['query', '/other', 'unknownField', {}],
      ['query', '/limit', 'max', { max: 100 }],
    ]);
    expect(await placesOf('/items?page=9999')).toEqual([
      ['query', '/page', 'page-out-of-range', { maxRows: 10_000 }],
    ]);
    expect(await placesOf('/items?after=x')).toEqual([['query', '/after', 'invalid-cursor', {}]]);
    expect(await placesOf('/orders/one')).toEqual([['path', '/id', 'isInt', {}]]);
    expect(await placesOf('/items?__proto__=1')).toEqual([['query', '/__proto__', 'unknownField', {}]]);
    expect(await placesOf('/orders', { items: [{ sku: 'tea\u0000', quantity: '1' }] })).toEqual([
      ['body', '/items/0/sku', 'unstorable-value', {}],
    ]);
  });

  it('have a code, whatever the cause', async () => {
    const client = (await api.newcomer()).with(asked);
    const slug = newEmail('slug')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '-');
    await client.post('/posts', { slug });
    const codes = async (replies: readonly Promise<{ status: number; json: any }>[]) =>
      (await Promise.all(replies)).map(({ status, json }) => [status, json.status, json.code]);
    const keyed = client.with({ 'idempotency-key': 'ä'.normalize('NFD').slice(0, 1).repeat(300) });
    expect(
      await codes([
        anyone().get('/users/me'),
        anyone().post('/auth/login', { username: 'nobody@example.com', password }),
        anyone().get('/nowhere?token=secret'),
        anyone().send('PUT', '/items'),
        anyone().get('/%zz'),
        client.get('/orders/999999999'),
        client.get('/users/admin'),
        client.post('/posts', { slug }),
        client.with({ 'if-match': '"other"' }).delete(`/posts/${slug}`),
        keyed.post('/posts', { slug }),
        client.post('/items', { sku: 'x'.repeat(200_000), name: 'n', price: 1 }),
      ]),
    ).toEqual([
      [401, 401, 'unauthorized'],
      [401, 401, 'unauthorized'],
      [404, 404, 'unknown-path'],
      [404, 404, 'unknown-path'],
      [400, 400, 'invalid-target'],
      [404, 404, 'not-found'],
      [403, 403, 'forbidden'],
      [409, 409, 'value-conflict'],
      [412, 412, 'precondition-failed'],
      [400, 400, 'invalid-idempotency-key'],
      [413, 413, 'body-too-large'],
    ]);
  });

  it('name the member that is taken', async () => {
    const email = newEmail();
    await anyone().post('/users', { email, password });
    const { json, status } = await anyone().post('/users', { email, password });
    expect(status).toBe(409);
    expect(json).toEqual({
      type: '/problems/email-conflict',
      title: 'Another account has this e-mail',
      status: 409,
      detail: 'email is already taken',
      instance: uuidUrn,
      code: 'email-conflict',
      errors: [
        {
          in: 'body',
          pointer: '/email',
          code: 'email-conflict',
          params: {},
          detail: 'email is already taken',
        },
      ],
    });
  });

  it('have the facts of a limit', async () => {
    const { json } = await (await api.newcomer()).with(asked).post('/posts', { slug: 'x'.repeat(200_000) });
    expect(json).toMatchObject({ code: 'body-too-large', params: { maxBytes: 102_400 } });
  });

  it.each([
    ['{', 'malformed-json'],
    [`${'['.repeat(40)}${']'.repeat(40)}`, 'body-too-deep'],
    ['"\\ud800"', 'lone-surrogate'],
    [new Uint8Array([0x22, 0xff, 0x22]), 'invalid-utf8'],
  ])('have a code for bodies that cannot be read: %s', async (body, code) => {
    const headers = { ...asked, 'content-type': 'application/json' };
    const response = await fetch(`${api().url}/auth/login`, { method: 'POST', headers, body });
    expect([response.status, ((await response.json()) as any).code]).toEqual([400, code]);
  });

  it('have a code for bodies of another type', async () => {
    const headers = { ...asked, 'content-type': 'text/plain' };
    const response = await fetch(`${api().url}/auth/login`, { method: 'POST', headers, body: 'x' });
    expect([response.status, ((await response.json()) as any).code]).toEqual([415, 'unsupported-body']);
  });

  it('keep the header fields of the usual form', async () => {
    const [usual, problem] = [await api().get('/users/me'), await anyone().get('/users/me')];
    const names = ({ headers }: { headers: Headers }) => [...headers.keys()].toSorted();
    expect(names(problem)).toEqual(names(usual));
    expect(problem.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('are sent only if they are preferred: other bodies are those of the specification', async () => {
    for (const accept of ['*/*', 'application/json', 'application/problem+json;q=0.1, application/json']) {
      const { text, headers } = await api().with({ accept }).get('/users/me');
      expect(text).toBe('{"statusCode":401,"message":"Unauthorized"}');
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('vary')).toBe('Accept');
    }
  });
});

describe('the pages of errors', () => {
  const api = bootApi();

  it('exist for every code: as HTML for browsers, as JSON for programs', async () => {
    const { all } = describeProblems(api.app());
    expect(all.length).toBeGreaterThan(50);
    for (const { code, status, title, remedy } of all) {
      const json = await api().get(`/problems/${code}`);
      expect(json.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(json.json).toMatchObject({ type: `/problems/${code}`, code, status, title, remedy });
      const html = await api().with({ accept: 'text/html' }).get(`/problems/${code}`);
      expect(html.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(html.text).toContain(`<code>${code}</code>`);
      expect(html.headers.get('vary')).toBe('Accept');
    }
  });

  it('list the rules whose codes are in errors, with their arguments', async () => {
    const { json } = await api().get('/problems/invalid-input');
    expect(json.rules).toMatchObject({ minLength: { min: 'number' }, isEmail: {}, unknownField: {} });
    const html = await api().with({ accept: 'text/html' }).get('/problems/invalid-input');
    expect(html.text).toContain('<tr><td><code>minLength</code></td><td><code>min</code> (number)</td></tr>');
  });

  it('are listed', async () => {
    const { json } = await api().get('/problems');
    expect(json.problems).toContainEqual(
      expect.objectContaining({ code: 'too-many-api-keys', params: { max: 'integer' } }),
    );
    const { text } = await api().with({ accept: 'text/html' }).get('/problems');
    expect(text).toContain('<a href="problems/too-many-api-keys">too-many-api-keys</a>');
  });

  it('do not exist for other codes', async () => {
    expect((await api().get('/problems/nothing')).status).toBe(404);
    expect((await api().get(`/problems/${'x'.repeat(101)}`)).status).toBe(400);
  });
});

describe('errors behind a proxy that removes a prefix', () => {
  const api = bootApi({ env: { PATH_PREFIX: '/api' } });

  it('name their page with the prefix', async () => {
    const { json, headers } = await api().with(asked).get('/nowhere');
    expect(json.type).toBe('/api/problems/unknown-path');
    expect(headers.get('content-length')).toBe(String(JSON.stringify(json).length));
  });
});

describe('errors without messages', () => {
  const api = bootApi({ env: { ERROR_MESSAGES: 'off' } });

  it('do not say which values are invalid', async () => {
    const { json } = await api().with(asked).post('/users', { email: 'ada' });
    expect(json).toEqual({
      type: '/problems/invalid-input',
      title: 'The request has invalid values',
      status: 400,
      detail: 'The request has invalid values',
      instance: uuidUrn,
      code: 'invalid-input',
    });
  });
});

describe('errors for pages of other origins', () => {
  const api = bootApi({ env: { CORS_ORIGINS: 'https://app.example.com' } });

  it('vary by origin and form', async () => {
    const { headers } = await api().with({ origin: 'https://app.example.com' }).get('/users/me');
    expect(headers.get('vary')).toBe('Origin, Accept');
  });
});
