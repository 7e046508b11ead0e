/** Plain `node:http` with hand-written code and a cache of verified tokens. */
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isEmail } from 'class-validator';
import { about, port, secret } from '../serve.mts';
import { masked, type OrderLineRecord, store, paginate } from '../store.mts';
import { badRequest, unauthorized } from './rules.mts';

interface Caller {
  readonly userId: number;
  readonly exp: number;
}

/** A pending response, with the header fields that every response has. */
export interface Answering extends ServerResponse {
  given?: Record<string, string>;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const json = 'application/json; charset=utf-8';
const key = createSecretKey(Buffer.from(secret));
const remembered = new Map<string, Caller>();

const routes = new Map<string, Handler>([
  [
    'GET /',
    (_request, response) => send(response, 200, about, { 'content-type': 'text/plain; charset=utf-8' }),
  ],
  ['POST /users', (request, response) => withBody(request, response, createUser)],
  ['GET /users/me', (request, response) => withCaller(request, response, readMe)],
  ['GET /items', (request, response) => withCaller(request, response, () => listItems(request, response))],
  [
    'POST /orders',
    (request, response) =>
      withCaller(request, response, (caller) =>
        withBody(request, response, (body) => createOrder(caller, body, response)),
      ),
  ],
]);

/**
 * Serves the six routes.
 *
 * @param before a function to run before every request
 */
export function serve(before?: (request: IncomingMessage, response: Answering) => void): void {
  createServer((request, response) => {
    before?.(request, response);
    const [path] = (request.url ?? '/').split('?', 1);
    const handler = routes.get(`${request.method} ${path}`);
    if (handler) handler(request, response);
    else sendJson(response, 404, { statusCode: 404, message: 'Not Found' });
  }).listen(port, '127.0.0.1');
}

async function createUser(body: Record<string, unknown>, response: ServerResponse): Promise<void> {
  const { email, password } = body;
  const wrong: string[] = unknownFields(body, ['email', 'password']);
  if (typeof email !== 'string' || !isEmail(email)) wrong.push('email must be an email');
  if (typeof password !== 'string' || password.length < 8)
    wrong.push('password must be longer than or equal to 8 characters');
  else if (password.length > 256) wrong.push('password must be shorter than or equal to 256 characters');
  if (wrong.length > 0) return sendJson(response, 400, badRequest(wrong));
  const account = await store.insertAccount(email as string, password as string);
  sendJson(response, 201, { ok: true, email: account.email }, { location: `/users/${account.id}` });
}

async function readMe({ userId }: Caller, response: ServerResponse): Promise<void> {
  const account = await store.findAccount(userId);
  if (account) sendJson(response, 200, { id: account.id, email: account.email });
  else sendJson(response, 404, { statusCode: 404, message: 'Not Found' });
}

async function listItems(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const query = new URLSearchParams(request.url?.split('?', 2)[1]);
  const [limit, page] = [Number(query.get('limit') ?? 10), Number(query.get('page') ?? 1)];
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= 100 && Number.isInteger(page) && page >= 1))
    return sendJson(response, 400, badRequest(['limit must be from 1 to 100']));
  const { rows, nextPage, link } = await paginate(limit, page);
  const items = rows.map(({ id, sku, name, price, createdAt }) => ({
    id,
    sku: masked(sku),
    name,
    price,
    createdAt,
  }));
  sendJson(response, 200, { items, page, limit, nextPage }, { link });
}

async function createOrder(
  { userId }: Caller,
  body: Record<string, unknown>,
  response: ServerResponse,
): Promise<void> {
  const wrong = unknownFields(body, ['items']);
  if (Array.isArray(body.items)) for (const line of body.items) wrong.push(...wrongInLine(line));
  else wrong.push('items must be an array');
  if (wrong.length > 0) return sendJson(response, 400, badRequest(wrong));
  const order = await store.insertOrder(userId, body.items as OrderLineRecord[]);
  const items = order.items.map(({ sku, quantity }) => ({ sku, quantity }));
  const location = `/orders/${order.id}`;
  sendJson(response, 201, { id: order.id, items, createdAt: order.createdAt }, { location });
}

function wrongInLine(line: unknown): string[] {
  if (typeof line !== 'object' || line === null) return ['items must be objects'];
  const { sku, quantity } = line as Record<string, unknown>;
  const wrong = unknownFields(line, ['sku', 'quantity']);
  if (typeof sku !== 'string') wrong.push('sku must be a string');
  if (typeof quantity !== 'string' || quantity === '') wrong.push('quantity must not be empty');
  return wrong;
}

function unknownFields(body: object, allowed: readonly string[]): string[] {
  const wrong: string[] = [];
  for (const name of Object.keys(body))
    if (!allowed.includes(name)) wrong.push(`property ${name} should not exist`);
  return wrong;
}

function withBody(
  request: IncomingMessage,
  response: ServerResponse,
  handle: (body: Record<string, unknown>, response: ServerResponse) => Promise<void>,
): void {
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    text += chunk;
    if (text.length > 100 * 1024) request.destroy();
  });
  request.on('end', () => {
    const body = parse(text);
    if (body) void handle(body, response);
    else sendJson(response, 400, { statusCode: 400, message: 'Bad Request' });
  });
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function withCaller(
  request: IncomingMessage,
  response: ServerResponse,
  handle: (caller: Caller, response: ServerResponse) => Promise<void> | void,
): void {
  const { authorization } = request.headers;
  const caller = authorization?.startsWith('Bearer ') ? callerOf(authorization.slice(7)) : undefined;
  if (caller) void handle(caller, response);
  else sendJson(response, 401, unauthorized);
}

function callerOf(token: string): Caller | undefined {
  const caller = remembered.get(token) ?? remember(token);
  return caller && caller.exp > Date.now() / 1000 ? caller : undefined;
}

function remember(token: string): Caller | undefined {
  const [header, payload, signature = ''] = token.split('.');
  const expected = createHmac('sha256', key).update(`${header}.${payload}`).digest();
  const actual = Buffer.from(signature, 'base64url');
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined;
  if (JSON.parse(Buffer.from(header, 'base64url').toString()).alg !== 'HS256') return undefined;
  const { sub, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString());
  if (remembered.size >= 10_000) remembered.clear();
  remembered.set(token, { userId: sub, exp });
  return remembered.get(token);
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  send(response, status, JSON.stringify(body), { ...headers, 'content-type': json });
}

function send(response: Answering, status: number, text: string, headers: Record<string, string>): void {
  const length = Buffer.byteLength(text);
  response.writeHead(status, { ...response.given, ...headers, 'content-length': length });
  response.end(text);
}
