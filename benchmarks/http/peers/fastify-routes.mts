import jwt from '@fastify/jwt';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { about, port, secret } from '../serve.mts';
import { masked, type OrderLineRecord, store, paginate } from '../store.mts';
import { badRequest, unauthorized } from './rules.mts';

interface Claims {
  readonly sub: number;
  readonly username: string;
}

/** The Fastify options for the six routes. */
export const options = {
  ajv: { customOptions: { allErrors: true, removeAdditional: false as const } },
  bodyLimit: 100 * 1024,
};

const object = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});
const text = { type: 'string' };
const whole = { type: 'integer' };
const date = { type: 'string', format: 'date-time' };
const line = object({ sku: text, quantity: { type: 'string', minLength: 1 } });
const item = object({ id: whole, sku: text, name: text, price: whole, createdAt: date });

const schemas = {
  createUser: {
    body: object({
      email: { type: 'string', format: 'email' },
      password: { type: 'string', minLength: 8, maxLength: 256 },
    }),
    response: { 201: object({ ok: { type: 'boolean' }, email: text }) },
  },
  me: { response: { 200: object({ id: whole, email: text }) } },
  items: {
    querystring: object(
      {
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
        page: { type: 'integer', minimum: 1, default: 1 },
      },
      [],
    ),
    response: {
      200: object({
        items: { type: 'array', items: item },
        page: whole,
        limit: whole,
        nextPage: { type: 'integer', nullable: true },
      }),
    },
  },
  createOrder: {
    body: object({ items: { type: 'array', items: line } }),
    response: { 201: object({ id: whole, items: { type: 'array', items: line }, createdAt: date }) },
  },
};

const signedIn = {
  onRequest: (request: FastifyRequest) => request.jwtVerify<Claims>().then(() => undefined),
};
const callerOf = (request: FastifyRequest) => (request.user as Claims).sub;

/** Serves the six routes with input and output schemas, and with `@fastify/jwt` and its token cache. */
export async function serveRoutes(app: FastifyInstance): Promise<void> {
  await app.register(jwt, { secret, verify: { algorithms: ['HS256'], cache: true } });

  app.setErrorHandler(
    (error: { readonly statusCode?: number; readonly validation?: readonly Problem[] }, _request, reply) => {
      if (error.statusCode === 401) return reply.code(401).send(unauthorized);
      if (error.validation) return reply.code(400).send(badRequest(error.validation.map(sentenceOf)));
      const status = error.statusCode ?? 500;
      return reply.code(status).send({ statusCode: status, message: 'Error' });
    },
  );

  app.get('/', (_request, reply) => reply.type('text/plain; charset=utf-8').send(about));

  app.post<{ Body: { email: string; password: string } }>(
    '/users',
    { schema: schemas.createUser },
    async ({ body }, reply) => {
      const account = await store.insertAccount(body.email, body.password);
      void reply.code(201).header('location', `/users/${account.id}`);
      return { ok: true, email: account.email };
    },
  );

  app.get('/users/me', { schema: schemas.me, ...signedIn }, async (request, reply) => {
    const account = await store.findAccount(callerOf(request));
    if (account) return account;
    reply.callNotFound();
    return reply;
  });

  app.get<{ Querystring: { limit: number; page: number } }>(
    '/items',
    { schema: schemas.items, ...signedIn },
    async ({ query: { limit, page } }, reply) => {
      const { rows, nextPage, link } = await paginate(limit, page);
      void reply.header('link', link);
      return { items: rows.map((row) => ({ ...row, sku: masked(row.sku) })), page, limit, nextPage };
    },
  );

  app.post<{ Body: { items: OrderLineRecord[] } }>(
    '/orders',
    { schema: schemas.createOrder, ...signedIn },
    async (request, reply) => {
      const order = await store.insertOrder(callerOf(request), request.body.items);
      void reply.code(201).header('location', `/orders/${order.id}`);
      return order;
    },
  );

  await app.listen({ port, host: '127.0.0.1' });
}

interface Problem {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message?: string;
  readonly params: Record<string, unknown>;
}

function sentenceOf({ keyword, instancePath, message, params }: Problem): string {
  const field = instancePath.slice(1);
  if (keyword === 'format') return `${field} must be an email`;
  if (keyword === 'minLength')
    return `${field} must be longer than or equal to ${String(params.limit)} characters`;
  if (keyword === 'additionalProperties')
    return `property ${String(params.additionalProperty)} should not exist`;
  return `${field} ${message}`;
}
