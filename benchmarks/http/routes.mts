import { createHmac } from 'node:crypto';
import manifest from '../../package.json' with { type: 'json' };

/** A request without its token. */
export interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly needsToken?: boolean;
  /** The body. Eight zeros in it are replaced by a different number each time. */
  readonly body?: unknown;
}

/** A measured route and its expected response. */
export interface Route extends Request {
  readonly key: string;
  readonly title: string;
  readonly status: number;
  readonly answer: unknown;
}

/** The response of `GET /` in `api`, and therefore in all servers. */
export const about = `${manifest.name} ${manifest.version} (api)`;

const lines = Array.from({ length: 10 }, (_, at) => ({ sku: `SKU-${at + 1}`, quantity: `${at + 1}` }));
const items = lines.map((_, at) => {
  const number = String(at + 1).padStart(4, '0');
  return { id: '<id>', sku: 'SK***EY', name: `Thing ${number}`, price: 101 + at, createdAt: '<date>' };
});

export const routes: readonly Route[] = [
  { key: 'R1', title: 'GET /, text', method: 'GET', path: '/', status: 200, answer: about },
  {
    key: 'R2',
    title: 'POST /users, valid',
    method: 'POST',
    path: '/users',
    body: { email: 'someone.00000000@example.com', password: 'correct horse battery' },
    status: 201,
    answer: { ok: true, email: 'someone.00000000@example.com' },
  },
  {
    key: 'R3',
    title: 'GET /users/me, token',
    method: 'GET',
    path: '/users/me',
    needsToken: true,
    status: 200,
    answer: { id: '<id>', email: 'admin@example.com' },
  },
  {
    key: 'R4',
    title: 'GET /items?limit=10, token',
    method: 'GET',
    path: '/items?limit=10',
    needsToken: true,
    status: 200,
    answer: { items, page: 1, limit: 10, nextPage: 2 },
  },
  {
    key: 'R5',
    title: 'POST /orders, 10 lines, token',
    method: 'POST',
    path: '/orders',
    needsToken: true,
    body: { items: lines },
    status: 201,
    answer: { id: '<id>', items: lines, createdAt: '<date>' },
  },
  {
    key: 'R6',
    title: 'POST /users, invalid',
    method: 'POST',
    path: '/users',
    body: { email: 'nobody', password: 'short' },
    status: 400,
    answer: {
      statusCode: 400,
      message: ['email must be an email', 'password must be longer than or equal to 8 characters'],
      error: 'Bad Request',
    },
  },
];

/** Makes a token that all subjects accept. It uses HS256, names an account and its id, and expires after an hour. */
export function makeToken(
  secret: string,
  { key = secret, age = 0, alg = 'HS256', name = '0', sub = 1, username = 'admin@example.com' } = {},
): string {
  const iat = Math.floor(Date.now() / 1000) - age;
  const header = segment({ alg, typ: 'JWT' });
  const payload = segment({
    sub,
    username,
    iat,
    exp: iat + 3600,
    jti: `token-${name}`,
  });
  const signature = createHmac('sha256', key).update(`${header}.${payload}`).digest('base64url');
  return `${header}.${payload}.${alg === 'none' ? '' : signature}`;
}

function segment(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
