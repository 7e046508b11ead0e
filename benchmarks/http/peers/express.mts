/** Express 5 with passport-jwt and zod. */
import express, { type ErrorRequestHandler, type Request, type RequestHandler } from 'express';
import passport from 'passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import type { z } from 'zod';
import { about, port, secret } from '../serve.mts';
import { masked, store, paginate } from '../store.mts';
import { badRequest, createOrder, createUser, messagesOf, pageQuery, unauthorized } from './rules.mts';

const options = {
  jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
  secretOrKey: secret,
  algorithms: ['HS256' as const],
};
passport.use(new Strategy(options, ({ sub }: { sub: number }, done) => done(null, { userId: sub })));

const app = express();
app.use(express.json());

const signedIn: RequestHandler = (request, response, next) => {
  const answer = (error: unknown, user: Express.User | false) => {
    if (error || !user) return response.status(401).json(unauthorized);
    request.user = user;
    return next();
  };
  passport.authenticate('jwt', { session: false }, answer)(request, response, next);
};
const callerOf = (request: Request) => (request.user as { readonly userId: number }).userId;

class BadRequest extends Error {
  constructor(readonly messages: readonly string[]) {
    super('Bad Request');
  }
}

function read<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (!result.success) throw new BadRequest(messagesOf(result.error));
  return result.data;
}

app.get('/', (_request, response) => void response.type('text/plain').send(about));

app.post('/users', async (request, response) => {
  const { email, password } = read(createUser, request.body);
  const account = await store.insertAccount(email, password);
  response.status(201).location(`/users/${account.id}`).json({ ok: true, email: account.email });
});

app.get('/users/me', signedIn, async (request, response) => {
  const account = await store.findAccount(callerOf(request));
  if (account) response.json({ id: account.id, email: account.email });
  else response.status(404).json({ statusCode: 404 });
});

app.get('/items', signedIn, async (request, response) => {
  const { limit, page } = read(pageQuery, request.query);
  const { rows, nextPage, link } = await paginate(limit, page);
  const items = rows.map((row) => ({ ...row, sku: masked(row.sku) }));
  response.set('Link', link).json({ items, page, limit, nextPage });
});

app.post('/orders', signedIn, async (request, response) => {
  const { items } = read(createOrder, request.body);
  const order = await store.insertOrder(callerOf(request), items);
  response.status(201).location(`/orders/${order.id}`);
  response.json({ id: order.id, items: order.items, createdAt: order.createdAt });
});

const onError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  const statusCode = Number((error as { readonly status?: number }).status ?? 500);
  if (error instanceof BadRequest) response.status(400).json(badRequest(error.messages));
  else response.status(statusCode).json({ statusCode });
};
app.use(onError);
app.listen(port, '127.0.0.1');
