import type { Asked } from '../http/check.mts';
import type { Request } from '../http/routes.mts';

/** A measured route and its expected response. */
export interface Route extends Request {
  readonly key: string;
  readonly title: string;
  readonly needsToken: true;
  readonly status: number;
  readonly answer: unknown;
}

/** The number of rows in every store before it is measured. */
export const sizes = { accounts: 1_000, items: 10_000, orders: 10_000, linesPerOrder: 10, buyers: 500 };

/** The lines in every order. */
export const lines = Array.from({ length: sizes.linesPerOrder }, (_, at) => ({
  sku: `SKU-${at + 1}`,
  quantity: `${at + 1}`,
}));

/** The account that `makeToken` names, and the owner of the first order. */
export const firstEmail = 'admin@example.com';

const items = Array.from({ length: 50 }, (_, at) => ({ id: '<id>', ...itemAt(at + 1), createdAt: '<date>' }));
const order = { id: '<id>', items: lines, createdAt: '<date>' };

export const routes: readonly Route[] = [
  {
    key: 'me',
    title: 'GET /users/me',
    method: 'GET',
    path: '/users/me',
    needsToken: true,
    status: 200,
    answer: { id: '<id>', email: firstEmail },
  },
  {
    key: 'items',
    title: 'GET /items?limit=50',
    method: 'GET',
    path: '/items?limit=50',
    needsToken: true,
    status: 200,
    answer: { items, page: 1, limit: 50, nextPage: 2 },
  },
  {
    key: 'orders',
    title: 'GET /orders?limit=10, their lines',
    method: 'GET',
    path: '/orders?limit=10',
    needsToken: true,
    status: 200,
    answer: { items: Array.from({ length: 10 }, () => order), page: 1, limit: 10, nextPage: 2 },
  },
  {
    key: 'order',
    title: 'POST /orders, ten lines',
    method: 'POST',
    path: '/orders',
    needsToken: true,
    body: { items: lines },
    status: 201,
    answer: order,
  },
  {
    key: 'post',
    title: 'POST /posts',
    method: 'POST',
    path: '/posts',
    needsToken: true,
    body: { slug: 'post-00000000' },
    status: 201,
    answer: { id: '<id>', slug: 'post-00000000', authorId: 1, createdAt: '<date>' },
  },
];

/** Returns requests that every subject must reject. The route check has taken the slug before. */
export function refusals(token: string): readonly Asked[] {
  const [me, list, , make, post] = routes;
  const refused = (of: Route, title: string, status: number, change: Partial<Asked>): Asked => ({
    ...of,
    title,
    status,
    token,
    answer: undefined,
    ...change,
  });
  return [
    refused(me, 'no token', 401, { token: undefined }),
    refused(list, 'a limit of 0', 400, { path: '/items?limit=0' }),
    refused(make, 'lines that are no list', 400, { body: { items: 'none' } }),
    refused(post, 'a slug with a space', 400, { body: { slug: 'a b' } }),
    refused(post, 'a slug that is taken', 409, {}),
  ];
}

/** Returns an item without the values that the store adds. */
export function itemAt(id: number) {
  return { sku: `SKU-${String(id).padStart(5, '0')}`, name: `Thing ${id}`, price: 100 + id };
}
