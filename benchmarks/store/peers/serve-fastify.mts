/** Fastify with input and output schemas, and `@fastify/jwt` with its token cache. */
import jwt from '@fastify/jwt';
import fastify, { type FastifyRequest } from 'fastify';
import { about, port, secret } from '../../http/serve.mts';
import type { Line, PeerStore } from './peer-store.mts';

interface Claims {
  readonly sub: number;
}

interface PageQuery {
  readonly limit: number;
  readonly page: number;
}

const object = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});
const text = { type: 'string' };
const whole = { type: 'integer' };
const date = { type: 'string', format: 'date-time' };
const nullable = { type: 'integer', nullable: true };
const line = object({ sku: text, quantity: { type: 'string', minLength: 1 } });
const lines = { type: 'array', items: line };
const order = object({ id: whole, items: lines, createdAt: date });
const item = object({ id: whole, sku: text, name: text, price: whole, createdAt: date });
const pageOf = (type: object) =>
  object({ items: { type: 'array', items: type }, page: whole, limit: whole, nextPage: nullable });
const pageQuery = object(
  {
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
    page: { type: 'integer', minimum: 1, default: 1 },
  },
  [],
);

const schemas = {
  me: { response: { 200: object({ id: whole, email: text }) } },
  items: { querystring: pageQuery, response: { 200: pageOf(item) } },
  orders: { querystring: pageQuery, response: { 200: pageOf(order) } },
  createOrder: { body: object({ items: lines }), response: { 201: order } },
  createPost: {
    body: object({ slug: { type: 'string', pattern: '^[a-z0-9-]+$', maxLength: 200 } }),
    response: { 201: object({ id: whole, slug: text, authorId: nullable, createdAt: date }) },
  },
};

const callerOf = (request: FastifyRequest) => (request.user as Claims).sub;

/** Serves the five routes on a store. */
export async function serveFastify(store: PeerStore): Promise<void> {
  const app = fastify({ bodyLimit: 100 * 1024 });
  await app.register(jwt, { secret, verify: { algorithms: ['HS256'], cache: true } });
  const signedIn = {
    onRequest: (request: FastifyRequest) => request.jwtVerify<Claims>().then(() => undefined),
  };

  app.get('/', (_request, reply) => reply.type('text/plain; charset=utf-8').send(about));

  app.get('/users/me', { schema: schemas.me, ...signedIn }, async (request, reply) => {
    const account = await store.findAccount(callerOf(request));
    if (account) return account;
    reply.callNotFound();
    return reply;
  });

  app.get<{ Querystring: PageQuery }>('/items', { schema: schemas.items, ...signedIn }, async ({ query }) =>
    toPage(query, (limit, offset) => store.listItems(limit, offset)),
  );

  app.get<{ Querystring: PageQuery }>('/orders', { schema: schemas.orders, ...signedIn }, async (request) =>
    toPage(request.query, (limit, offset) => store.listOrders(callerOf(request), limit, offset)),
  );

  app.post<{ Body: { items: Line[] } }>(
    '/orders',
    { schema: schemas.createOrder, ...signedIn },
    async (request, reply) => {
      const record = await store.insertOrder(callerOf(request), request.body.items);
      void reply.code(201).header('location', `/orders/${record.id}`);
      return record;
    },
  );

  app.post<{ Body: { slug: string } }>(
    '/posts',
    { schema: schemas.createPost, ...signedIn },
    async (request, reply) => {
      const post = await store.insertPost(request.body.slug, callerOf(request));
      if (post) void reply.code(201).header('location', `/posts/${post.slug}`);
      else void reply.code(409);
      return post ?? { statusCode: 409, message: 'Conflict' };
    },
  );

  await app.listen({ port, host: '127.0.0.1' });
}

async function toPage<Row>(
  { limit, page }: PageQuery,
  list: (limit: number, offset: number) => readonly Row[] | Promise<readonly Row[]>,
) {
  const rows = await list(limit + 1, (page - 1) * limit);
  return { items: rows.slice(0, limit), page, limit, nextPage: rows.length > limit ? page + 1 : null };
}
