import { createHmac, randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { limitPipelining } from '../../libs/service/src/overload/limit-pipelining.ts';
import { stepSeconds, totpCode } from '../../tools/attack/wire/totp.mts';
import { documentWith } from './faulty-document.mts';
import { FaultyCookies } from './faulty-cookies.mts';
import { FaultyPasskeys, isCredential } from './faulty-passkeys.mts';
import { FaultyProviders } from './faulty-providers.mts';
import { fileIn, isPicture } from './faulty-pictures.mts';

/** An instruction from the parent process. The line `done <id>` confirms this instruction and all instructions before it. */
export interface Instruction {
  readonly id: number;
  /** The number of seconds by which the clock is ahead from now on. */
  readonly seconds?: number;
}

/**
 * A small service with the faults that it is started with: `node test/attack/faulty-service.mts --fault answers`. By default it
 * is free of faults. It prints its URL and the URLs for two more programs on its store, then a line for each request. The second
 * program shares its name and the third program has a different name. Users sign in through each `--provider name=issuer`.
 */
const { values } = parseArgs({
  options: {
    fault: { type: 'string', multiple: true, default: [] },
    provider: { type: 'string', multiple: true, default: [] },
  },
});
const has = (fault: string) => values.fault.includes(fault);
/** The number of seconds by which the clock is ahead, as the parent process sets it. */
let ahead = 0;
process.on('message', ({ id, seconds = ahead }: Instruction) => {
  ahead = seconds;
  process.stdout.write(`done ${id}\n`);
});

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
  resets: 20,
  keyRequests: 30,
  codeTries: 5,
  pendingSeconds: 300,
  changes: 10,
  storeMs: 50,
  picture: 1_000_000,
  completions: 250,
  enrolments: 60,
  waiting: 32,
  inFlight: 64,
};
const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
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

interface Account {
  readonly id: number;
  email: string;
  password: string;
  /** The token generation. A password change raises it and so ends all earlier tokens. */
  generation: number;
  /** The token that changed the password and therefore stays valid. */
  kept?: string;
  picture?: Buffer;
  totp?: { readonly secret: string; isConfirmed: boolean; readonly used: Set<string> };
  recoveryCodes: string[];
  /** `false` for an account that a provider sign-in created. */
  hasPassword?: false;
}

const accounts = new Map<number, Account>();
const keys: { readonly id: number; readonly owner: number; readonly key: string }[] = [];
/** The request count by API key, or by account for all its keys. */
const keyRequests = new Map<string, number>();
/** The request count of each account or address behind the proxy. */
const requestsBy = new Map<string, number>();
/** The number of failed sign-in completions by address. */
const refusals = new Map<string, number>();
/** The number of started enrolments by account. */
const enrolmentsBy = new Map<string, number>();
/** The e-mails that a former owner may get back. */
const reserved = new Set<string>();
/** The number of requests that wait for a provider. */
let waitingRequests = 0;
const resetsBy = new Map<string, number>();
/** The accounts by the reset tokens in their mails. */
const resetTokens = new Map<string, number>();
/** The sign-ins that wait for a second factor, by token. */
const pending = new Map<
  string,
  { readonly id: number; readonly generation: number; readonly until: number }
>();
/** The mailed codes by nonce. */
const mailed = new Map<string, { readonly id: number; readonly code: string; tries: number }>();
const cookies = new FaultyCookies(has);
const passkeys = new FaultyPasskeys(has);
const issuers = values.provider.map((entry): [string, string] => {
  const [name = '', issuer = ''] = entry.split('=');
  return [name, issuer];
});
const providers = new FaultyProviders(has, new Map(issuers));
/** The accounts by provider identity. */
const identities = new Map<string, number>();
/** The time at which each identity was linked. */
const linkedAt = new Map<string, number>();
const orders: Order[] = [];
const sessions: Session[] = [];
/** The tokens that a sign-out ended. */
const ended = new Set<string>();
const failures = new Map<string, number>();
const hashing = new Map<string, Promise<void>>();
let inFlight = 0;
/** The number of recent password changes. */
let changes = 0;

for (const name of ['admin', 'user', 'other']) addAccount(`${name}@example.com`, 'a password of a test');

function addAccount(email: string, password: string): number {
  const id = Math.max(0, ...accounts.keys()) + 1;
  accounts.set(id, { id, email, password, generation: 0, recoveryCodes: [] });
  return id;
}

function addWithoutPassword(name: string): number {
  const id = addAccount(`${name}@example.com`, randomUUID());
  Object.assign(accounts.get(id) ?? {}, { hasPassword: false });
  return id;
}

if (has('large-ids')) orders.push({ id: 1, owner: 1, items: [] });

class Refusal extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`refused with ${status}`);
    this.status = status;
  }
}

/** Whether a request opens a WebSocket. */
const isUpgrade = ({ headers: { upgrade } }: IncomingMessage) =>
  upgrade === 'websocket' || (has('h2c') && upgrade !== undefined);

const respond = (request: IncomingMessage, response: ServerResponse) => void answer(request, response);
const server = createServer(
  { maxHeaderSize: 16 * KB, shouldUpgradeCallback: isUpgrade },
  has('unread') ? respond : limitPipelining(respond),
);
server.on('upgrade', (request, socket) => {
  const status = statusOfUpgrade(request);
  socket.on('error', () => socket.destroy()).end(`HTTP/1.1 ${status} Upgrade\r\ncontent-length: 0\r\n\r\n`);
});
const keptOf = new WeakMap<object, string[][]>();
/** A second instance of the program on the same store. */
const second = createServer(respond);
/** A program with a different name. It has started no sign-ins, so it refuses to complete a sign-in. */
const elsewhere = createServer(respond);
const urls: string[] = [];
for (const listener of [server, second, elsewhere]) {
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  urls.push(`http://127.0.0.1:${portOf(listener)}`);
}
process.stdout.write(`${urls.join(' ')}\n`);

function portOf(listener: typeof server): number {
  return (listener.address() as AddressInfo).port;
}

/** Leaks memory for each request until its connection closes. */
function keepForSocket({ socket }: IncomingMessage): void {
  const kept = keptOf.get(socket) ?? [];
  // A reference has eight bytes.
  kept.push(padding.slice(0, 500).split(''));
  keptOf.set(socket, kept);
}

/** Returns the status for a WebSocket upgrade. The only gateway is `/stream`. */
function statusOfUpgrade(request: IncomingMessage): number {
  const { url = '' } = request;
  const path = URL.parse(url, 'ws://service')?.pathname;
  if (path !== url && !has('raw-upgrades')) return 400;
  try {
    if (url === '/stream' || !has('raw-upgrades')) callerOf(request);
    return path === '/stream' ? 101 : 404;
  } catch {
    return 401;
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (has('kept-requests')) keepForSocket(request);
  const id = randomUUID();
  response.setHeader('x-request-id', id);
  inFlight += 1;
  response.once('close', () => (inFlight -= 1));
  try {
    if (has('slow-bodies') && inFlight > limits.slow) throw new Refusal(503);
    if (has('waiting') && inFlight > limits.inFlight) throw new Refusal(503);
    countOf(request);
    await introspect(request);
    await route(request, response);
  } catch (error) {
    const status = error instanceof Refusal ? error.status : 500;
    if (status < 429 && isCompletion(request)) recordRefusal(request);
    response.writeHead(status).end(JSON.stringify({ statusCode: status, message: 'refused' }));
  }
  const isProbe = has('probes') && request.url?.startsWith('/health');
  const storm =
    has('log-storm') && response.statusCode >= 400 ? String(new Error('refused').stack).repeat(40) : '';
  if (!isProbe)
    process.stdout.write(
      `${id} ${loggedUrl(request)} ${response.statusCode} ${storm.replaceAll('\n', ' ')}\n`,
    );
}

/** Increments the count of a subject and returns it. */
function countOne(counts: Map<string, number>, subject: string): number {
  const total = (counts.get(subject) ?? 0) + 1;
  counts.set(subject, total);
  return total;
}

function recordRefusal({ socket: { remoteAddress = '' } }: IncomingMessage): void {
  countOne(refusals, remoteAddress);
  process.stdout.write(`record ${remoteAddress}\n`);
}

function isCompletion({ method, url = '' }: IncomingMessage): boolean {
  return method === 'POST' && url.endsWith('/complete') && !url.includes('/link/');
}

/** Limits requests that come through the proxy by account, or else by address. */
function countOf(request: IncomingMessage): void {
  const { headers, socket } = request;
  const hasTried = (refusals.get(socket.remoteAddress ?? '') ?? 0) > limits.completions;
  if (isCompletion(request) && hasTried && !has('completions')) throw new Refusal(429);
  const address = headers['x-forwarded-for']?.toString();
  if (address === undefined) return;
  const isCaller = headers.authorization !== undefined;
  const subject = isCaller
    ? String(callerOf(request))
    : `${has('rate-subjects') ? '' : 'address '}${address}`;
  if (countOne(requestsBy, subject) > limits.keyRequests) throw new Refusal(429);
}

/** Waits for a provider. Only a bounded number of requests may wait at the same time. */
async function waitFor<T>(wait: () => Promise<T>): Promise<T> {
  if (waitingRequests >= limits.waiting && !has('waiting')) throw new Refusal(503);
  waitingRequests += 1;
  return wait().finally(() => (waitingRequests -= 1));
}

/** Introspects opaque tokens at the first provider and believes its response that the token is unknown. */
async function introspect({ headers }: IncomingMessage): Promise<void> {
  const [, token] = /^Bearer ([\w-]{20,})$/.exec(headers.authorization ?? '') ?? [];
  const [[, issuer] = []] = issuers;
  if (token === undefined || issuer === undefined) return;
  const isOwn =
    pending.has(token) ||
    providers.hasBegun(token) ||
    keys.some(({ key }) => key === token) ||
    sessions.some(({ tokens }) => tokens.includes(token));
  if (isOwn && !has('introspected-secrets')) return;
  const body = new URLSearchParams({ token });
  await waitFor(async () => (await fetch(`${issuer}/introspect`, { method: 'POST', body })).text());
}

/** Returns the URL for the log. Long path segments are hidden because they are keys. */
function loggedUrl({ url = '' }: IncomingMessage): string {
  return has('logged-keys') ? url : (url.split('?')[0]?.replaceAll(/[\w.-]{40,}/g, '[hidden]') ?? '');
}

async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
  checkHead(request);
  const { pathname, searchParams } = targetOf(request.url ?? '/');
  const [, resource = '', id, part] = pathname.split('/');
  const isElsewhere = request.socket.localPort === portOf(elsewhere) && !has('audiences');
  if (isElsewhere && /^.(?:sessions|passkeys|providers|codes)./.test(pathname)) throw new Refusal(401);
  const send = (body: unknown, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  switch (`${request.method} /${resource}${id === undefined ? '' : '/:id'}`) {
    case 'GET /openapi.json':
      return void send({ ...documentWith(has), 'x-padding': padding });
    case 'GET /health':
      return void send({ status: 'ok' });
    case 'GET /welcome':
      return void send(welcome(request));
    case 'GET /me':
      if (has('cookie-callers') && request.headers.cookie !== undefined) return void send({ id: 1 });
      return void send({ id: callerOf(request) });
    case 'POST /login':
      return void send({ access_token: tokenOf(await signedIn(request, response)) });
    case 'POST /logout':
      callerOf(request);
      ended.add(request.headers.authorization ?? '');
      return void send({ ok: true });
    case 'POST /keys':
      return void send(makeKey(request), 201);
    case 'GET /keys':
      return void send({ items: keysOf(callerOf(request)), page: 1 });
    case 'GET /keys/:id':
      return void send(readKey(callerOf(request), Number(id)));
    case 'DELETE /me':
      requireRecent(request);
      accounts.delete(callerOf(request));
      return void send({ ok: true });
    case 'PUT /password':
      await changePassword(request, response);
      return void send({ ok: true });
    case 'POST /password-resets':
      requestReset(request.socket.remoteAddress ?? '', await bodyOf(request, response));
      return void send({ ok: true }, 202);
    case 'POST /password-resets/:id':
      completeReset(stringsOf(await bodyOf(request, response), ['token', 'password']));
      return void send({ ok: true });
    case 'PATCH /users/:id':
      return void send(changeEmail(callerOf(request), Number(id), await bodyOf(request, response)));
    case 'POST /email-changes/:id':
      return void send(stringsOf(await bodyOf(request, response), ['token', 'password']) && refuse(400));
    case 'GET /users/:id':
      return void send(readAccount(has('public-accounts') ? Number(id) : callerOf(request), Number(id)));
    case 'PUT /picture':
      return void send(await storePicture(request));
    case 'GET /picture':
      if (has('unread-files')) openUntilClosed(request);
      return sendPicture(callerOf(request), response);
    case 'PUT /settings':
      requireRecent(request);
      return void send({ ok: true });
    case 'POST /users':
      await signUp(request, response);
      return void send({ ok: true }, 201);
    case 'POST /sessions':
      return void send(await openSession(request, response), 201);
    case 'POST /sessions/:id':
      return void send(await completed(request, await bodyOf(request, response)), 201);
    case 'POST /factors/:id':
      requireRecent(request, has('stale-passkeys'));
      if (id === 'passkeys') countEnrolment(callerOf(request));
      return void send(
        id === 'passkeys'
          ? passkeys.ask(`enrolment of ${callerOf(request)}`, callerOf(request))
          : await enrolPasskey(callerOf(request), await bodyOf(request, response)),
      );
    case 'DELETE /factors/:id':
      requireRecent(request);
      if (!unlink(callerOf(request), id ?? '') && !passkeys.end(callerOf(request), id ?? ''))
        throw new Refusal(404);
      return void send({ ok: true });
    case 'POST /passkeys':
      return void send(passkeys.ask(purposeOf(await bodyOf(request, response))));
    case 'POST /passkeys/:id':
      return void send(await openByPasskey(await bodyOf(request, response)), 201);
    case 'POST /providers/:id':
      return void send(await askProvider(request, response, pathname));
    case 'POST /totp':
      requireRecent(request);
      if (callerByIssuer(request) !== undefined && !has('issuer-enrolments')) throw new Refusal(403);
      countEnrolment(callerOf(request));
      return void send(enrol(callerOf(request)));
    case 'POST /totp/:id':
      return void send(confirm(callerOf(request), await bodyOf(request, response)));
    case 'POST /codes':
      return void send(mailCode(await bodyOf(request, response)));
    case 'POST /codes/:id':
      return void send(await openByCode(await bodyOf(request, response)), 201);
    case 'POST /refresh':
      if (request.headers['content-type'] === undefined)
        return void send(refreshedByCookie(request, response));
      return void send(refreshed(stringsOf(await bodyOf(request, response), ['refresh_token'])[0]));
    case 'GET /orders':
      if (has('reflection'))
        response.setHeader(
          'link',
          `<${request.url}>; rel="first", <http://${request.headers.host}/orders>; rel="self"`,
        );
      return void send(pageOf(keyOwner(request) ?? callerOf(request), searchParams));
    case 'POST /orders': {
      const owner = callerOf(request);
      const order = makeOrder(owner, await bodyOf(request, response));
      await pause(limits.storeMs);
      if (!accounts.has(owner))
        throw has('removed-account') ? new TypeError('no such owner') : new Refusal(401);
      if (has('posted-host'))
        response.setHeader('location', `http://${request.headers.host}/orders/${order.id}`);
      return void send(order, 201);
    }
    case 'GET /orders/:id':
      if (part === 'notes' && has('others-notes') && callerOf(request) > 0) return void send([]);
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

/** Returns a body's named members. It refuses a body with different members. */
function stringsOf(body: Record<string, unknown>, names: readonly string[]): string[] {
  const texts = names.map((name) => body[name]);
  const areTexts = texts.every((value): value is string => typeof value === 'string');
  if (!areTexts || Object.keys(body).length !== names.length) throw new Refusal(400);
  return texts;
}

async function openSession(request: IncomingMessage, response: ServerResponse): Promise<object> {
  const { transport = 'body', ...credentials } = await bodyOf(request, response);
  if (transport === 'body') return begun(await signedInBy(request, credentials));
  const name = cookies.nameFor(request) ?? refuse(403);
  return cookies.move(response, name, begun(await signedInBy(request, credentials)));
}

function refreshedByCookie(request: IncomingMessage, response: ServerResponse): object {
  const name = cookies.nameFor(request) ?? refuse(403);
  return cookies.move(response, name, refreshed(cookies.tokenIn(request, name)));
}

async function signedIn(request: IncomingMessage, response: ServerResponse): Promise<number> {
  return signedInBy(request, await bodyOf(request, response));
}

async function signedInBy(request: IncomingMessage, body: Record<string, unknown>): Promise<number> {
  const [username = '', password = ''] = stringsOf(body, ['username', 'password']);
  const { remoteAddress } = request.socket;
  const subject = has('lockout') ? username : `${username} ${remoteAddress}`;
  if (!has('guesses') && (failures.get(subject) ?? 0) >= limits.failures) throw new Refusal(429);
  // Counted before its turn: of many at once no more are tried.
  failures.set(subject, (failures.get(subject) ?? 0) + 1);
  await hash(remoteAddress ?? '');
  const account = accountNamed(username);
  if (account?.password !== password) throw new Refusal(401);
  failures.delete(subject);
  return account.id;
}

async function signUp(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [email = '', password = ''] = stringsOf(await bodyOf(request, response), ['email', 'password']);
  checkPassword(password);
  if (!(has('hidden-emails') ? email.includes('@') : isEmail(email))) throw new Refusal(400);
  if (reserved.has(email)) throw new Refusal(409);
  await hash(request.socket.remoteAddress ?? '');
  addAccount(email, password);
}

function checkPassword(password: string): void {
  if (password.length < 8 || password.length > 256) throw new Refusal(400);
}

function isEmail(text: string): boolean {
  return /^[\w.-]{1,64}@[\w-]+\.[a-z]+$/.test(text);
}

function accountNamed(email: string): Account | undefined {
  return [...accounts.values()].find((account) => account.email === email);
}

async function changePassword(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const account = accounts.get(callerOf(request));
  const [password = ''] = stringsOf(await bodyOf(request, response), ['password']);
  checkPassword(password);
  if (has('crowd')) countChange();
  await hash(request.socket.remoteAddress ?? '');
  if (account) setPassword(account, password, request.headers.authorization, has('kept-sessions'));
}

/** Counts password changes in a shared limit, which a single address can use up. */
function countChange(): void {
  if (changes === 0) setTimeout(() => (changes = 0), 5000);
  changes += 1;
  if (changes > limits.changes) throw new Refusal(503);
}

function setPassword(account: Account, password: string, kept: string | undefined, keepsAll: boolean): void {
  account.password = password;
  if (keepsAll) return;
  account.generation += 1;
  account.kept = kept;
  sessions.splice(0, Infinity, ...sessions.filter((session) => session.account !== account.id));
}

function requestReset(address: string, body: Record<string, unknown>): void {
  const [email = ''] = stringsOf(body, ['email']);
  if (!isEmail(email)) throw new Refusal(400);
  const count = (resetsBy.get(address) ?? 0) + 1;
  if (!has('resets') && count > limits.resets) throw new Refusal(429);
  resetsBy.set(address, count);
  const account = accountNamed(email);
  if (!account) return;
  const token = randomUUID();
  resetTokens.set(token, account.id);
  process.stdout.write(`mail to ${email}: ${token}\n`);
}

function completeReset([token = '', password = '']: string[]): void {
  checkPassword(password);
  const account = accounts.get(resetTokens.get(token) ?? 0) ?? refuse(400);
  resetTokens.delete(token);
  setPassword(account, password, undefined, has('reset-keeps'));
  if (!has('reset-passkeys')) passkeys.endAll(account.id);
}

function readAccount(caller: number, id: number): object {
  const account = caller === id ? accounts.get(id) : undefined;
  return account ? { id, email: account.email } : refuse(404);
}

function makeKey(request: IncomingMessage): object {
  if (!has('stale-keys')) requireRecent(request);
  const apiKey = { id: keys.length + 1, owner: callerOf(request), key: `key-${randomUUID()}` };
  keys.push(apiKey);
  return { id: apiKey.id, api_key: apiKey.key };
}

function keysOf(owner: number): object[] {
  return keys.filter((candidate) => candidate.owner === owner).map(({ id }) => ({ id }));
}

function readKey(owner: number, id: number): object {
  const apiKey = keys.find(
    (candidate) => candidate.id === id && (has('others-keys') || candidate.owner === owner),
  );
  return apiKey ? { id: apiKey.id } : refuse(404);
}

/** Returns the account that owns the request's API key. All its keys share a limit. */
function keyOwner({ headers }: IncomingMessage): number | undefined {
  const sent = headers['x-api-key'];
  if (sent === undefined) return undefined;
  const { owner, key } = keys.find((candidate) => candidate.key === sent) ?? refuse(401);
  const subject = has('key-limits') ? key : String(owner);
  const count = (keyRequests.get(subject) ?? 0) + 1;
  keyRequests.set(subject, count);
  return count > limits.keyRequests ? refuse(429) : owner;
}

async function storePicture(request: IncomingMessage): Promise<object> {
  const account = accounts.get(callerOf(request)) ?? refuse(401);
  const picture = (await fileIn(request, 2 * limits.picture)) ?? refuse(415);
  if (picture.length > limits.picture) throw new Refusal(413);
  if (!has('any-file') && !isPicture(picture, { mayGoOn: has('polyglots') })) throw new Refusal(415);
  account.picture = picture;
  return { bytes: picture.length };
}

/** Opens two files, like a download, and closes them with the connection. */
function openUntilClosed({ socket }: IncomingMessage): void {
  const files = [1, 2].map(() => openSync(import.meta.filename, 'r'));
  socket.once('close', () => files.forEach((file) => closeSync(file)));
}

function sendPicture(owner: number, response: ServerResponse): void {
  const { picture = refuse(404) } = accounts.get(owner) ?? {};
  const saved = has('polyglots') ? {} : { 'content-disposition': 'attachment; filename="picture.png"' };
  response.writeHead(200, { 'content-type': 'image/png', 'x-content-type-options': 'nosniff', ...saved });
  response.end(picture);
}

/** Simulates password hashing, with a single queue for all clients or a queue for each address. */
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

/** Begins a session. If the account has a second factor, it returns the token of a pending sign-in instead. */
function begun(id: number): object {
  const { totp, generation = 0 } = accounts.get(id) ?? {};
  const factors = [
    ...(totp?.isConfirmed === true ? ['totp', 'recovery-code'] : []),
    ...(passkeys.hasSome(id) ? ['passkey'] : []),
  ];
  if (factors.length === 0) return open(id);
  const token = randomUUID();
  pending.set(token, { id, generation, until: now() + limits.pendingSeconds });
  return { mfa_required: true, factors, mfa_token: token };
}

async function completed({ socket }: IncomingMessage, fields: Record<string, unknown>): Promise<object> {
  const { credential, ...body } = fields;
  const isPasskey = credential !== undefined;
  const [token = '', factor, code = ''] = stringsOf(body, [
    'mfa_token',
    'factor',
    ...(isPasskey ? [] : ['code']),
  ]);
  const signIn = pending.get(token) ?? refuse(401);
  const account = accounts.get(signIn.id) ?? refuse(401);
  if (!has('mfa-kept') && signIn.generation !== account.generation) throw new Refusal(401);
  if (!has('mfa-late') && signIn.until < now()) throw new Refusal(401);
  const isForgetful = has('used-codes') && socket.localPort === portOf(second);
  const isProven = isCredential(credential)
    ? (await passkeys.verify(purposeOf(body), credential, account.id)) !== undefined
    : factor === 'totp'
      ? useCode(account, code, isForgetful)
      : useRecoveryCode(account, code);
  if (!isProven) throw new Refusal(401);
  if (!has('mfa-twice')) pending.delete(token);
  return open(account.id);
}

/** Returns the purpose of a sign-in challenge. A request with an `mfa_token` completes a second factor. */
function purposeOf({ mfa_token: token }: Record<string, unknown>): string {
  if (token === undefined) return 'sign-in';
  if (typeof token !== 'string') throw new Refusal(400);
  return `second factor of ${pending.get(token)?.id ?? refuse(401)}`;
}

async function enrolPasskey(owner: number, { credential }: Record<string, unknown>): Promise<object> {
  const passkey =
    isCredential(credential) && (await passkeys.enrol(owner, `enrolment of ${owner}`, credential));
  return passkey ? { id: passkey.id } : refuse(400);
}

async function openByPasskey({ credential }: Record<string, unknown>): Promise<object> {
  if (!isCredential(credential)) throw new Refusal(400);
  return open((await passkeys.verify('sign-in', credential)) ?? refuse(401));
}

/** Handles `/providers/acme` and the paths below it. */
async function askProvider(
  request: IncomingMessage,
  response: ServerResponse,
  pathname: string,
): Promise<object> {
  const [, , name = '', ...steps] = pathname.split('/');
  const linkedTo = steps[0] === 'link' ? callerOf(request) : undefined;
  const purpose = `account ${linkedTo}`;
  if (steps.at(-1) !== 'complete') return providers.begin(name, purpose) ?? refuse(404);
  const { iss, ...body } = await bodyOf(request, response);
  if (iss !== undefined && typeof iss !== 'string') throw new Refusal(400);
  const [own = '', code = '', state = ''] = stringsOf(body, ['request', 'code', 'state']);
  const { sub, email } =
    (await waitFor(() => providers.complete(name, purpose, { request: own, code, state, iss }))) ??
    refuse(401);
  const identity = `${name} ${sub}`;
  const isSimilar = has('similar-emails') || has('claims');
  const similar = isSimilar && email?.normalize('NFKC').toUpperCase();
  const linkable = [...accounts.values()].find((account) => account.email.toUpperCase() === similar)?.id;
  if (reserved.has(String(email)) && !has('reserved-emails')) throw new Refusal(409);
  const id = linkedTo ?? identities.get(identity) ?? linkable ?? addWithoutPassword(sub);
  identities.set(identity, id);
  linkedAt.set(identity, now());
  return linkedTo === undefined ? open(id) : { ok: true };
}

function useCode({ totp }: Account, code: string, isForgetful = false): boolean {
  const late = ahead / stepSeconds;
  if (totp === undefined || ![-1, 0, 1].some((steps) => totpCode(totp.secret, late + steps) === code))
    return false;
  const isUsed = totp.used.has(code) && !isForgetful;
  totp.used.add(code);
  return !isUsed;
}

function useRecoveryCode(owner: Account, code: string): boolean {
  const ofAnyone = [...accounts.values()].find(({ recoveryCodes }) => recoveryCodes.includes(code));
  const account = (has('factors-of-anyone') && ofAnyone) || owner;
  const isKnown = account.recoveryCodes.includes(code);
  if (!has('recovery-codes'))
    account.recoveryCodes = account.recoveryCodes.filter((candidate) => candidate !== code);
  return isKnown;
}

function countEnrolment(id: number): void {
  if (countOne(enrolmentsBy, String(id)) > limits.enrolments && !has('enrolments')) throw new Refusal(429);
}

function changeEmail(caller: number, id: number, body: Record<string, unknown>): object {
  const account = (caller === id && accounts.get(id)) || refuse(404);
  const [email = ''] = stringsOf(body, ['email']);
  if (!isEmail(email)) throw new Refusal(400);
  if (accountNamed(email) || reserved.has(email)) throw new Refusal(409);
  reserved.add(account.email);
  account.email = email;
  return { ok: true };
}

function enrol(id: number): object {
  const account = accounts.get(id) ?? refuse(401);
  if (account.totp?.isConfirmed === true) throw new Refusal(409);
  const key = Array.from({ length: 32 }, () => base32[randomInt(32)]).join('');
  account.totp = { secret: key, isConfirmed: false, used: new Set() };
  return { secret: key, uri: `otpauth://totp/a?secret=${key}`, ...(has('images') && { qr: 'data:,' }) };
}

function confirm(id: number, body: Record<string, unknown>): object {
  const account = accounts.get(id) ?? refuse(401);
  const [code = ''] = stringsOf(body, ['code']);
  if (account.totp === undefined || !useCode(account, code)) throw new Refusal(400);
  account.totp.isConfirmed = true;
  account.recoveryCodes = Array.from({ length: 10 }, () => randomUUID());
  return { recovery_codes: account.recoveryCodes };
}

function mailCode(body: Record<string, unknown>): object {
  const [email = ''] = stringsOf(body, ['email']);
  if (!isEmail(email)) throw new Refusal(400);
  const [nonce, code] = [randomUUID(), String(randomInt(1_000_000)).padStart(6, '0')];
  const account = accountNamed(email);
  if (account) {
    mailed.set(nonce, { id: account.id, code, tries: 0 });
    process.stdout.write(`mail to ${email}: ${code}\n`);
  }
  return { nonce };
}

async function openByCode(body: Record<string, unknown>): Promise<object> {
  const [nonce = '', code = ''] = stringsOf(body, ['nonce', 'code']);
  const ofAnyone = [...mailed.values()].find((candidate) => candidate.code === code);
  const mailedCode = (has('codes-of-any-client') ? ofAnyone : mailed.get(nonce)) ?? refuse(401);
  mailedCode.tries += 1;
  if (mailedCode.code !== code || (!has('code-tries') && mailedCode.tries > limits.codeTries))
    throw new Refusal(401);
  if (has('codes-twice')) await pause(limits.storeMs);
  mailed.delete(nonce);
  if (!has('code-passkeys')) passkeys.endAll(mailedCode.id);
  return open(mailedCode.id);
}

/**
 * Refreshes a session. The last token gets a successor. The previous token returns the same successor, because the first
 * response may have been lost.
 */
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
  const isTaken = orders.some(
    (candidate) => candidate.owner !== owner && String(candidate.items) === String(items),
  );
  if (isTaken && has('others-values')) throw new Refusal(409);
  const order = { id: orders.length + 1 + 2 ** 52, owner, items };
  orders.push(order);
  return order;
}

function readOrder(owner: number, id: string): Order {
  if (!/^\d+$/.test(id) || (!has('large-ids') && !Number.isSafeInteger(Number(id)))) throw new Refusal(404);
  const rounded = has('large-ids') && Number(id) > 2 ** 53 ? orders[0] : undefined;
  const order =
    rounded ?? orders.find((candidate) => candidate.id === Number(id) && candidate.owner === owner);
  return order ?? refuse(404);
}

function refuse(status: number): never {
  throw new Refusal(status);
}

function now(): number {
  return Math.floor(Date.now() / 1000) + ahead;
}

function tokenOf(sub: number): string {
  const generation = accounts.get(sub)?.generation;
  const claims = { sub, generation, jti: randomUUID(), iat: now(), auth_time: now(), exp: now() + 60 };
  const input = `${segment({ alg: 'HS256', typ: 'JWT' })}.${segment(claims)}`;
  return `${input}.${signatureOf(input)}`;
}

/** Ends the link between an account and an identity. */
function unlink(owner: number, id: string): boolean {
  const name = id.replace('identity-provider-', '');
  const [identity] = [...identities].find(([key, of]) => of === owner && key.startsWith(`${name} `)) ?? [];
  const isLast = identity !== undefined && accounts.get(owner)?.hasPassword === false;
  if (isLast && !has('last-factors')) throw new Refusal(409);
  if (identity !== undefined && !has('kept-links')) identities.delete(identity);
  return identity !== undefined;
}

/** Returns the account for a provider's access token, or `undefined` for other tokens. The service believes every signature. */
function callerByIssuer({ headers }: IncomingMessage): number | undefined {
  const [, payload] = /^Bearer [\w-]+\.([\w-]+)\.[\w-]+$/.exec(headers.authorization ?? '') ?? [];
  if (payload === undefined || !Buffer.from(payload, 'base64url').toString().includes('"aud":"attack-api"'))
    return undefined;
  const { iss, sub, iat, cnf } = claimsOf(`.${payload}`);
  const [name] = issuers.find(([, issuer]) => issuer === iss) ?? refuse(401);
  const identity = `${name} ${String(sub)}`;
  const id = identities.get(identity) ?? refuse(401);
  const isEarly = Number(iat) < Math.floor(linkedAt.get(identity) ?? 0);
  if ((isEarly && !has('early-tokens')) || (cnf !== undefined && !has('bound-tokens')))
    throw new Refusal(401);
  if (accounts.get(id)?.totp?.isConfirmed === true && !has('issuer-factors')) throw new Refusal(403);
  return id;
}

/** Returns the account that an access token names. It refuses future tokens, as the shared clock of a store would. */
function callerOf(request: IncomingMessage): number {
  const { headers, socket } = request;
  const issued = callerByIssuer(request);
  if (issued !== undefined) return issued;
  const waiting = pending.get(headers.authorization?.replace('Bearer ', '') ?? '');
  if (waiting && has('mfa-bearer')) return waiting.id;
  const [, input = '', signature = ''] =
    /^Bearer ([\w-]+\.[\w-]+)\.([\w-]+)$/.exec(headers.authorization ?? '') ?? [];
  const encoding = has('spellings') ? 'base64url' : 'utf8';
  const [actual, right] = [signature, signatureOf(input)].map((text) => Buffer.from(text, encoding));
  if (actual.length !== right.length || !timingSafeEqual(actual, right)) throw new Refusal(401);
  const { sub, generation, iat, exp, nbf = 0 } = claimsOf(input);
  const isOurs = input.startsWith(`${segment({ alg: 'HS256', typ: 'JWT' })}.`);
  const isFinal = typeof exp === 'number' && Number.isFinite(exp) && exp > now();
  const isTimely = isFinal && Number(nbf) <= now() && (has('clock') || Number(iat) <= now() + 60);
  const isForgetful = has('late-sign-out') && socket.localPort === portOf(second);
  if (!isOurs || (ended.has(headers.authorization ?? '') && !isForgetful)) throw new Refusal(401);
  const account = accounts.get(Number(sub)) ?? refuse(401);
  const isCurrent = account.generation === generation || account.kept === headers.authorization;
  return isTimely && isCurrent && typeof sub === 'number' ? sub : refuse(401);
}

/** Accepts anonymous callers, but refuses invalid credentials. */
function welcome(request: IncomingMessage): { readonly id?: number } {
  const isVisitor = has('welcome-forged') || request.headers.authorization === undefined;
  return isVisitor ? {} : { id: callerOf(request) };
}

function requireRecent(request: IncomingMessage, isLax = has('stale-sign-in')): void {
  callerOf(request);
  const { auth_time: signedInAt } = claimsOf(request.headers.authorization?.replace('Bearer ', '') ?? '');
  if (!isLax && Number(signedInAt) < now() - 900) throw new Refusal(403);
}

function claimsOf(token: string): Record<string, unknown> {
  return parsed(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

function segment(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function signatureOf(input: string): string {
  return createHmac('sha256', secret).update(input).digest('base64url');
}
