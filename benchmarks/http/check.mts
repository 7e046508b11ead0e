import { deepStrictEqual, match } from 'node:assert/strict';
import { fixedHeaders } from '../../libs/service/src/responses/fixed-headers.ts';
import { makeToken, type Request, type Route, routes } from './routes.mts';

/** A request and its expected response. */
export interface Asked extends Request {
  readonly title: string;
  readonly status: number;
  /** The expected body, if all subjects have the same body. */
  readonly answer?: unknown;
  readonly token?: string;
}

/**
 * Sends a server every benchmark request, and requests that it must reject.
 *
 * @throws AssertionError if a response differs from the expected response
 */
export async function checkResponses(url: string, secret: string): Promise<void> {
  const token = makeToken(secret);
  for (const route of routes) {
    await expectAnswer(url, { ...route, token: route.needsToken ? token : undefined });
  }
  for (const refusal of rejectedRequests(secret, token)) await expectAnswer(url, refusal);
}

function rejectedRequests(secret: string, token: string): Asked[] {
  const [, signUp, me, list, order] = routes;
  const unauthorized = { status: 401, answer: { statusCode: 401, message: 'Unauthorized' } };
  const withToken = (name: string, bearer?: string) => ({
    ...me,
    title: name,
    token: bearer,
    ...unauthorized,
  });
  const bad = (of: Route, title: string, change: Partial<Request>) => ({
    ...of,
    ...change,
    title,
    status: 400,
    answer: undefined,
    token,
  });
  return [
    withToken('no token'),
    withToken(
      'a token of another secret',
      makeToken(secret, { key: 'another secret, as long as the first one' }),
    ),
    withToken('a token that has expired', makeToken(secret, { age: 7200 })),
    withToken('a token without a signature', makeToken(secret, { alg: 'none' })),
    withToken('a token whose end was changed', `${token.slice(0, -4)}AAAA`),
    withToken('something else than a token', 'nonsense'),
    bad(signUp, 'an unknown field', { body: { ...(signUp.body as object), role: 'admin' } }),
    bad(signUp, 'a body that is not JSON', { body: undefined }),
    bad(signUp, 'an empty object', { body: {} }),
    bad(list, 'a limit of 0', { path: '/items?limit=0' }),
    bad(list, 'a limit that is not a number', { path: '/items?limit=ten' }),
    bad(order, 'lines that are not a list', { body: { items: 'none' } }),
    bad(order, 'a line without its quantity', { body: { items: [{ sku: 'SKU-1' }] } }),
    { title: 'an unknown path', method: 'GET', path: '/nowhere', status: 404 },
  ];
}

/**
 * Sends a request and checks its response.
 *
 * @throws AssertionError if the response differs from the expected response
 */
export async function expectAnswer(url: string, asked: Asked): Promise<void> {
  const { title, method, path, body, token, status, answer } = asked;
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: method === 'POST' ? (JSON.stringify(body) ?? '{"email":') : undefined,
  });
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  const message = `${title}: ${response.status} ${text.slice(0, 500)}`;
  deepStrictEqual(response.status, status, message);
  if (answer === undefined) return;
  deepStrictEqual(
    type.split(';', 1)[0],
    typeof answer === 'string' ? 'text/plain' : 'application/json',
    message,
  );
  deepStrictEqual(
    typeof answer === 'string' ? text : withoutVariableParts(JSON.parse(text)),
    answer,
    message,
  );
}

/**
 * Checks our headers in two responses.
 *
 * @throws AssertionError if a header is missing or has a different value
 */
export async function checkHeaders(url: string): Promise<void> {
  for (const path of ['/', '/users/me']) {
    const { headers } = await fetch(`${url}${path}`);
    const sent = Object.keys(fixedHeaders).map((name) => [name, headers.get(name)] as const);
    deepStrictEqual(normal(sent), normal(Object.entries(fixedHeaders)), `headers of ${path}`);
    match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
  }
}

/** Returns the headers without spaces, which libraries write differently. */
function normal(headers: readonly (readonly [string, string | null])[]): object {
  return Object.fromEntries(headers.map(([name, value]) => [name, value?.replaceAll(/\s/g, '')]));
}

/** Replaces ids and dates, which differ between servers. */
function withoutVariableParts(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, part: unknown) => {
    if (key === 'id' && typeof part === 'number') return '<id>';
    return typeof part === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(part)
      ? '<date>'
      : part;
  });
}
