import { serve } from '@hono/node-server';
import type { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { jwt } from 'hono/jwt';
import { validator } from 'hono/validator';
import type { z } from 'zod';
import { about, port, secret } from '../serve.mts';
import { masked, store, paginate } from '../store.mts';
import { badRequest, createOrder, createUser, messagesOf, pageQuery, unauthorized } from './rules.mts';

/** The request variables that the routes read. */
export interface Known {
  readonly Variables: { readonly jwtPayload: { readonly sub: number } };
}

const signedIn = jwt({ secret, alg: 'HS256' });

const checked = <Target extends 'json' | 'query', Schema extends z.ZodType>(target: Target, schema: Schema) =>
  validator(target, (value, context) => {
    const result = schema.safeParse(value);
    return result.success ? result.data : context.json(badRequest(messagesOf(result.error)), 400);
  });

/** Serves the six routes with zod and Hono's own JWT middleware, on Node. */
export function serveRoutes(app: Hono<Known>): void {
  app.get('/', (context) => context.text(about));

  app.post('/users', checked('json', createUser), async (context) => {
    const { email, password } = context.req.valid('json');
    const account = await store.insertAccount(email, password);
    return context.json({ ok: true, email: account.email }, 201, { location: `/users/${account.id}` });
  });

  app.get('/users/me', signedIn, async (context) => {
    const account = await store.findAccount(context.get('jwtPayload').sub);
    return account ? context.json({ id: account.id, email: account.email }) : context.notFound();
  });

  app.get('/items', signedIn, checked('query', pageQuery), async (context) => {
    const { limit, page } = context.req.valid('query');
    const { rows, nextPage, link } = await paginate(limit, page);
    const items = rows.map((row) => ({ ...row, sku: masked(row.sku) }));
    return context.json({ items, page, limit, nextPage }, 200, { link });
  });

  app.post('/orders', signedIn, checked('json', createOrder), async (context) => {
    const order = await store.insertOrder(context.get('jwtPayload').sub, context.req.valid('json').items);
    const { id, items, createdAt } = order;
    return context.json({ id, items, createdAt }, 201, { location: `/orders/${id}` });
  });

  app.onError((error, context) => {
    const status = error instanceof HTTPException ? error.status : 500;
    return status === 401 ? context.json(unauthorized, 401) : context.json({ statusCode: status }, status);
  });

  serve({ fetch: app.fetch, port, hostname: '127.0.0.1' });
}
