import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { limitPipelining } from '../../libs/service/src/ingress/limit-pipelining.ts';
import { document } from './faulty-document.mts';

/**
 * A small service that has the faults it is started with, and none of them by default:
 * `node test/attack/faulty-service.mts --fault answers`. It prints its URL, and one line for each request.
 */
const { values } = parseArgs({
  options: {
    fault: { type: 'string', multiple: true, default: [] },
    ahead: { type: 'string', default: '0' },
  },
});
const has = (fault: string) => values.fault.includes(fault);

const secret = 'a secret of a faulty service, for one test';
const KB = 1024;
const limits = {
  body: 100 * KB,
  page: 256 * KB,
  skipped: 10_000,
  slow: 200,
  hashMs: 30,
  failures: 10,
  refreshes: 60,
};
const padding = 'x'.repeat(110 * KB);

interface Order {
  readonly id: number;
  readonly owner: number;
  readonly items: readonly unknown[];
}

interface Session {
  tokens: string[];
  readonly account: number;
}

const accounts = new Map<string, { id: number; password: string; isAdmin: boolean }>();
const orders: Order[] = [];
const sessions: Session[] = [];
const failures = new Map<string, number>();
const hashing = new Map<string, Promise<void>>();
let inFlight = 0;

for (const [index, name] of ['admin', 'user', 'other'].entries()) {
  accounts.set(`${name}@example.com`, {
    id: index + 1,
    password: 'a password of a test',
    isAdmin: index === 0,
  });
}

if (has('large-ids')) orders.push({ id: 1, owner: 1, items: [] });

class Refusal extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`refused with ${status}`);
    this.status = status;
  }
}

const server = createServer(
  { maxHeaderSize: 16 * KB },
  (request, response) => void answer(request, response),
);
if (!has('unread')) limitPipelining(server);
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const id = randomUUID();
  response.setHeader('x-request-id', id);
  inFlight += 1;
  response.once('close', () => (inFlight -= 1));
  try {
    if (has('slow-bodies') && inFlight > limits.slow) throw new Refusal(503);
    await route(request, response);
  } catch (error) {
    const status = error instanceof Refusal ? error.status : 500;
    response.writeHead(status).end(JSON.stringify({ statusCode: status, message: 'refused' }));
  }
  const isProbe = has('probes') && request.url?.startsWith('/health');
  const storm =
    has('log-storm') && response.statusCode >= 400 ? String(new Error('refused').stack).repeat(40) : '';
  if (!isProbe)
    process.stdout.write(`${id} ${request.url} ${response.statusCode} ${storm.replaceAll('\n', ' ')}\n`);
}

async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
  checkHead(request);
  const { pathname, searchParams } = targetOf(request.url ?? '/');
  const [, resource = '', id] = pathname.split('/');
  const send = (body: unknown, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  switch (`${request.method} /${resource}${id === undefined ? '' : '/:id'}`) {
    case 'GET /openapi.json':
      return void send({ ...document, 'x-padding': padding });
    case 'GET /health':
      return void send({ status: 'ok' });
    case 'GET /me':
      return void send({ id: callerOf(request) });
    case 'POST /login':
      return void send({ access_token: tokenOf(await signedIn(request, response)) });
    case 'POST /users':
      await signUp(request, response);
      return void send({ ok: true }, 201);
    case 'POST /sessions':
      return void send(open(await signedIn(request, response)), 201);
    case 'POST /refresh':
      return void send(refreshed(stringsOf(await bodyOf(request, response), ['refresh_token'])[0]));
    case 'GET /orders':
      if (has('reflection'))
        response.setHeader(
          'link',
          `<${request.url}>; rel="first", <http://${request.headers.host}/orders>; rel="self"`,
        );
      return void send(pageOf(callerOf(request), searchParams));
    case 'POST /orders':
      return void send(makeOrder(callerOf(request), await bodyOf(request, response)), 201);
    case 'GET /orders/:id':
      return void send(readOrder(callerOf(request), id ?? ''));
    default:
      throw new Refusal(404);
  }
}

function checkHead({ rawHeaders, headers }: IncomingMessage): void {
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  const count = (wanted: string) => names.filter((name) => name === wanted).length;
  if (count('host') !== 1) throw new Refusal(400);
  if (count('authorization') > 1) throw new Refusal(401);
  const coding = headers['transfer-encoding'] ?? 'chunked';
  if (coding !== 'chunked' && !has('transfer-coding')) throw new Refusal(501);
}

function targetOf(url: string): URL {
  try {
    decodeURIComponent(url);
    return new URL(url, 'http://service');
  } catch {
    throw new Refusal(400);
  }
}

async function bodyOf(request: IncomingMessage, response: ServerResponse): Promise<Record<string, unknown>> {
  if (!request.headers['content-type']?.startsWith('application/json')) throw new Refusal(415);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= limits.body) chunks.push(chunk);
    else if (has('lost-413')) {
      response.writeHead(413).end();
      request.socket.destroy();
    }
  }
  if (bytes > limits.body) throw new Refusal(413);
  return parsed(Buffer.concat(chunks).toString());
}

function parsed(text: string): Record<string, unknown> {
  const body = attempt(() => JSON.parse(text));
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Refusal(400);
  return body as Record<string, unknown>;
}

function attempt<Made>(make: () => Made): Made {
  try {
    return make();
  } catch {
    throw new Refusal(400);
  }
}

/** The members of a body, which has these and no others. */
function stringsOf(body: Record<string, unknown>, names: readonly string[]): string[] {
  const found = names.map((name) => body[name]);
  const areTexts = found.every((value): value is string => typeof value === 'string');
  if (!areTexts || Object.keys(body).length !== names.length) throw new Refusal(400);
  return found;
}

async function signedIn(request: IncomingMessage, response: ServerResponse): Promise<number> {
  const [username = '', password = ''] = stringsOf(await bodyOf(request, response), ['username', 'password']);
  const { remoteAddress } = request.socket;
  const subject = has('lockout') ? username : `${username} ${remoteAddress}`;
  if ((failures.get(subject) ?? 0) >= limits.failures) throw new Refusal(429);
  await hash(remoteAddress ?? '');
  const account = accounts.get(username);
  if (account?.password === password) return account.id;
  failures.set(subject, (failures.get(subject) ?? 0) + 1);
  throw new Refusal(401);
}

async function signUp(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [email = '', password = ''] = stringsOf(await bodyOf(request, response), ['email', 'password']);
  if (!/^[\w.-]{1,64}@[\w-]+\.[a-z]+$/.test(email) || password.length < 8 || password.length > 256)
    throw new Refusal(400);
  await hash(request.socket.remoteAddress ?? '');
  accounts.set(email, { id: accounts.size + 1, password, isAdmin: false });
}

/** Passwords are hashed one at a time, in one queue for all or in one for each address. */
async function hash(address: string): Promise<void> {
  const queue = has('hashing') ? 'all' : address;
  const turn = (hashing.get(queue) ?? Promise.resolve()).then(() => pause(limits.hashMs));
  hashing.set(queue, turn);
  await turn;
}

function open(account: number): object {
  const session = { account, tokens: [randomUUID()] };
  sessions.push(session);
  return { access_token: tokenOf(account), refresh_token: session.tokens[0] };
}

/** Only the last token has a successor; the one before it has the same, in case the answer was lost. */
function refreshed(token = ''): object {
  const session = sessions.find(({ tokens }) => tokens.includes(token));
  if (!session || (!has('reuse') && session.tokens.indexOf(token) < session.tokens.length - 2))
    throw new Refusal(401);
  if (!has('refreshes') && session.tokens.length > limits.refreshes) throw new Refusal(429);
  if (session.tokens.at(-1) === token) session.tokens.push(randomUUID());
  return {
    access_token: tokenOf(session.account),
    refresh_token: session.tokens[session.tokens.indexOf(token) + 1],
  };
}

function pageOf(owner: number, query: URLSearchParams): readonly Order[] {
  const [limit, page] = [wholeIn(query, 'limit', 10), wholeIn(query, 'page', 1)];
  if (limit > 100 || (!has('deep-pages') && (page - 1) * limit > limits.skipped)) throw new Refusal(400);
  const rows = orders.filter((order) => order.owner === owner).slice((page - 1) * limit, page * limit);
  if (has('answers')) return rows;
  let size = 0;
  const end = rows.findIndex((row, index) => (size += JSON.stringify(row).length) > limits.page && index > 0);
  return end === -1 ? rows : rows.slice(0, end);
}

function wholeIn(query: URLSearchParams, name: string, usual: number): number {
  const text = query.get(name) ?? String(usual);
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Refusal(400);
  return Number(text);
}

function makeOrder(owner: number, { items, price = 1, ...others }: Record<string, unknown>): Order {
  const isList = Array.isArray(items) && items.every((item: unknown) => typeof item === 'string');
  if (!isList || Object.keys(others).length > 0 || typeof price !== 'number') throw new Refusal(400);
  if (price < 0 || !Number.isInteger(price)) throw new Refusal(400);
  if (!Number.isSafeInteger(price)) {
    if (has('numbers')) throw new TypeError('a number must be a safe integer to be bound');
    throw new Refusal(400);
  }
  const order = { id: orders.length + 1 + 2 ** 52, owner, items };
  orders.push(order);
  return order;
}

function readOrder(owner: number, id: string): Order {
  if (!/^\d+$/.test(id) || (!has('large-ids') && !Number.isSafeInteger(Number(id)))) throw new Refusal(404);
  const rounded = has('large-ids') && Number(id) > 2 ** 53 ? orders[0] : undefined;
  const order = rounded ?? orders.find((one) => one.id === Number(id) && one.owner === owner);
  return order ?? refuse(404);
}

function refuse(status: number): never {
  throw new Refusal(status);
}

function now(): number {
  return Math.floor(Date.now() / 1000) + Number(values.ahead);
}

function tokenOf(sub: number): string {
  const input = `${segment({ alg: 'HS256', typ: 'JWT' })}.${segment({ sub, iat: now(), exp: now() + 60 })}`;
  return `${input}.${signatureOf(input)}`;
}

/** The clock of a store that several programs share would refuse what was issued after now. */
function callerOf({ headers }: IncomingMessage): number {
  const [, input = '', signature = ''] =
    /^Bearer ([\w-]+\.[\w-]+)\.([\w-]+)$/.exec(headers.authorization ?? '') ?? [];
  const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(input))];
  if (given.length !== right.length || !timingSafeEqual(given, right)) throw new Refusal(401);
  const { sub, iat, exp } = parsed(Buffer.from(input.split('.')[1] ?? '', 'base64url').toString());
  const isTimely = Number(exp) > now() && (has('clock') || Number(iat) <= now() + 60);
  return isTimely && typeof sub === 'number' ? sub : refuse(401);
}

function segment(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function signatureOf(input: string): string {
  return createHmac('sha256', secret).update(input).digest('base64url');
}
