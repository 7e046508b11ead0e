/**
 * Measures how much a single caller can take from all other callers, with unread responses, slow and large bodies, large pages,
 * and refused sign-ins and refreshes. It uses the built `api` on a free port and an empty folder. Build first: `npm run build`.
 *
 * `--quick` makes a tenth of the large numbers. `--json` writes rows `{case, subject, value, unit}`.
 */
import '../scripts/load-sources.mts';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type BuiltApi, startBuiltApi } from './built-api.mts';
import { freePort } from '../tools/drill/programs/free-port.mts';

const { makePng } = await import('../libs/service/testing/make-png.ts');

const entry = join(import.meta.dirname, '../dist/apps/api/main.js');
const administrator = { username: 'admin@example.com', password: 'an administrator of benchmarks' };
const wrong = 'not the password';
const { values } = parseArgs({ options: { quick: { type: 'boolean' }, json: { type: 'boolean' } } });
const [thousand, hundred] = values.quick ? [100, 10] : [1000, 100];

interface Row {
  readonly case: string;
  readonly subject: 'api';
  readonly value: number;
  readonly unit: string;
}

const rows: Row[] = [];

if (!existsSync(entry)) throw new Error(`There is no ${entry}: run npm run build first.`);
const folder = mkdtempSync(join(tmpdir(), 'sluice-limits-'));
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const program = startApi();
const log = { bytes: 0 };
program.stdout?.on('data', (chunk: Buffer) => (log.bytes += chunk.length));
try {
  await firstAnswer();
  await unreadResponses();
  await largeBodies();
  await slowBodies();
  const token = await signIn();
  await unreadPictures(token);
  await largeOrders(token);
  await refusedSignIns();
  await refreshes();
} finally {
  await stop(program);
}
reportAudit();
await manyAccounts();
rmSync(folder, { recursive: true });
if (values.json) process.stdout.write(`${JSON.stringify(rows)}\n`);

function startApi(): ChildProcess {
  return spawn(process.execPath, [entry], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATABASE_URL: 'sqlite:data/sluice.db',
      ADMIN_EMAIL: administrator.username,
      ADMIN_PASSWORD: administrator.password,
      ACCESS_TOKEN_TTL: '1h',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

async function firstAnswer(): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const response = await fetch(`${url}/health/ready`).catch(() => undefined);
    if (response?.ok) return;
    await pause(50);
  }
  throw new Error('The program did not answer within 15 s.');
}

/** Sends pipelined requests for the largest file and leaves the responses unread. */
async function unreadResponses(): Promise<void> {
  const before = residentMiB();
  const socket = await open();
  socket.write('GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(thousand));
  await pause(3000);
  report('resident memory before unread responses', before, 'MiB');
  report(`resident memory with ${thousand} of them`, residentMiB(), 'MiB');
  socket.destroy();
}

/** Requests a picture of 1.9 MB on many connections and leaves the responses unread. */
async function unreadPictures(token: string): Promise<void> {
  const form = new FormData();
  form.append('picture', new Blob([makePng(Buffer.alloc(1_900_000, 'x'))]), 'me.png');
  const headers = { authorization: `Bearer ${token}` };
  const { status } = await fetch(`${url}/users/me/picture`, { method: 'PUT', headers, body: form });
  if (status !== 200) throw new Error(`a picture was answered ${status}`);
  const before = residentMiB();
  const sockets = await Promise.all(Array.from({ length: thousand }, open));
  for (const socket of sockets) {
    socket.pause();
    socket.write(`GET /users/me/picture HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  }
  await pause(3000);
  report('resident memory before unread pictures', before, 'MiB');
  report(`resident memory with ${thousand} of them`, residentMiB(), 'MiB');
  report('files of pictures that are open', openUploads(), 'files');
  for (const socket of sockets) socket.destroy();
  await pause(500);
  report('files of pictures that are open after their connections', openUploads(), 'files');
}

function openUploads(): number {
  const opened = `/proc/${program.pid}/fd`;
  const targets = readdirSync(opened).map((fd) => {
    try {
      return readlinkSync(join(opened, fd));
    } catch {
      return '';
    }
  });
  return targets.filter((target) => target.includes('/uploads/')).length;
}

/**
 * Changes passwords at once for many accounts at a single address, beside accounts at different addresses. Then an account
 * changes its password again and again.
 */
async function manyAccounts(): Promise<void> {
  const [many, others] = values.quick ? [30, 10] : [120, 40];
  const file = join(folder, 'accounts.db');
  const api = await startBuiltApi({ DATABASE_URL: `sqlite:${file}`, SIGN_UP_ADDRESS_LIMIT: 'off' });
  try {
    const people: Person[] = [];
    for (let n = 0; n < many + others; n += 1)
      people.push(await signUp(api, n, n < many ? '10.0.0.1' : `10.1.0.${n}`));
    const alone = people.slice(many).map((person) => changePassword(api, person, 'another password of it'));
    const aloneStatuses = await Promise.all(alone);
    const statuses = await Promise.all(
      people.map((person) => changePassword(api, person, 'a third password of it')),
    );
    report(
      `${others} changes of passwords at as many addresses at once: refused`,
      refusals(aloneStatuses),
      'responses',
    );
    report(
      `${many} changes of passwords at one address at once: refused`,
      refusals(statuses.slice(0, many)),
      'responses',
    );
    report(`of ${others} at other addresses meanwhile: refused`, refusals(statuses.slice(many)), 'responses');
    const victim = await signUp(api, many + others, '10.2.0.1');
    const count = () =>
      Number(
        new DatabaseSync(file, { readOnly: true })
          .prepare('select count(*) as n from mail where recipient = ?')
          .get(victim.email)?.n,
      );
    const before = count();
    const changes: number[] = [];
    for (let n = 0; n < many; n += 1)
      changes.push(await changePassword(api, victim, `password number ${n} of it`));
    report(`${many} changes of one password: 200`, changes.length - refusals(changes), 'responses');
    report('mails about them', count() - before, 'mails');
  } finally {
    await api.stop();
  }
}

function refusals(statuses: readonly number[]): number {
  return statuses.filter((status) => status !== 200).length;
}

interface Person {
  readonly path: string;
  readonly email: string;
  readonly address: string;
  token: string;
}

async function signUp(api: BuiltApi, n: number, address: string): Promise<Person> {
  const [email, password] = [`person-${n}@example.com`, 'a password of benchmarks'];
  const headers = { 'x-forwarded-for': address };
  const created = await api.call({ path: '/users', headers, body: { email, password } });
  if (created.status !== 201) throw new Error(`a sign-up was answered ${created.status}: ${created.text}`);
  const person = { path: '', email, address, token: '' };
  await signInAgain(api, person, password);
  const { text } = await api.call({
    path: '/auth/profile',
    headers: { authorization: `Bearer ${person.token}` },
  });
  return { ...person, path: `/users/${JSON.parse(text).userId}` };
}

async function signInAgain(api: BuiltApi, person: Person, password: string): Promise<void> {
  const headers = { 'x-forwarded-for': person.address };
  const { text } = await api.call({
    path: '/auth/login',
    headers,
    body: { username: person.email, password },
  });
  person.token = JSON.parse(text).access_token;
}

/** Changes a password and signs in again, because the change ends the token. */
async function changePassword(api: BuiltApi, person: Person, password: string): Promise<number> {
  const { status } = await fetch(`http://127.0.0.1:${api.port}${person.path}`, {
    method: 'PATCH',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': person.address,
      authorization: `Bearer ${person.token}`,
    },
    body: JSON.stringify({ email: person.email, password }),
  });
  if (status === 200) await signInAgain(api, person, password);
  return status;
}

/** Starts clients that send 4 MB before they read. */
async function largeBodies(): Promise<void> {
  const clients = Array.from({ length: Math.round(0.72 * hundred) }, async () => {
    const socket = await open();
    socket.write(head(4_000_000));
    await new Promise((written) => socket.write(Buffer.alloc(4_000_000, 'x'), written));
    return (await textOf(socket)).includes(' 413 ');
  });
  const received = (await Promise.all(clients)).filter(Boolean).length;
  report(`${clients.length} bodies of 4 MB: 413 received`, received, 'responses');
}

/** Starts clients that send no body. */
async function slowBodies(): Promise<void> {
  const sockets = await Promise.all(Array.from({ length: thousand }, open));
  const startedAt = performance.now();
  for (const socket of sockets) socket.write(head(50));
  const closed = Promise.all(sockets.map(textOf));
  let answered = 0;
  for (let request = 0; request < 50; request += 1) if ((await fetch(url)).ok) answered += 1;
  report(`beside ${thousand} bodies that do not arrive: 200 for 50 others`, answered, 'responses');
  await closed;
  report('their connections are closed after', since(startedAt), 's');
}

/** Sends orders with the maximum number of lines. */
async function largeOrders(token: string): Promise<void> {
  const items = Array.from({ length: 200 }, (_, line) => ({ sku: `sku-${line}`, quantity: '1' }));
  for (let order = 0; order < hundred; order += 1) await post('/orders', { items }, token);
  const headers = { authorization: `Bearer ${token}` };
  const read = async () => (await fetch(`${url}/orders?limit=100`, { headers })).text();
  const startedAt = performance.now();
  const { length } = await read();
  report(`a page of ${hundred} orders of 200 lines: time`, since(startedAt), 's');
  report('its length', length, 'bytes');
  const [pages, askedAt] = [Promise.all(Array.from({ length: 8 }, read)), performance.now()];
  await (await fetch(`${url}/health/live`)).text();
  report('health beside eight of them', since(askedAt), 's');
  await pages;
}

async function refusedSignIns(): Promise<void> {
  const before = log.bytes;
  const attempts = Array.from({ length: 5 * hundred }, async (_, n) => {
    const { status } = await post('/auth/login', { username: `${n}@example.com`, password: wrong });
    return status;
  });
  const refused = (await Promise.all(attempts)).filter((status) => status === 503).length;
  await pause(1500);
  report(`${attempts.length} sign-ins at once: refused`, refused, 'responses');
  report('their log', log.bytes - before, 'bytes');
}

async function refreshes(): Promise<void> {
  let { refresh_token: token } = await jsonOf(await post('/auth/sessions', administrator));
  let refreshed = 0;
  for (; refreshed < 2 * thousand; refreshed += 1) {
    const response = await post('/auth/refresh', { refresh_token: token });
    if (response.status !== 200) break;
    ({ refresh_token: token } = await jsonOf(response));
  }
  report(`of ${2 * thousand} refreshes of one session: 200`, refreshed, 'responses');
}

function reportAudit(): void {
  const database = new DatabaseSync(join(folder, 'data/sluice.db'));
  const row = database
    .prepare(`select count(*) as rows from audit_event where kind = 'session-refreshed'`)
    .get();
  report('their audit events', Number(row?.rows), 'events');
  database.close();
}

async function signIn(): Promise<string> {
  return (await jsonOf(await post('/auth/login', administrator))).access_token;
}

async function jsonOf(response: Response): Promise<Readonly<Record<string, string>>> {
  return JSON.parse(await response.text());
}

function post(path: string, body: object, token?: string): Promise<Response> {
  const authorization = token === undefined ? undefined : { authorization: `Bearer ${token}` };
  const headers = { 'content-type': 'application/json', ...authorization };
  return fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

function head(length: number): string {
  const fields = ['Host: x', 'Content-Type: application/json', `Content-Length: ${length}`];
  return ['POST /auth/login HTTP/1.1', ...fields, '', ''].join('\r\n');
}

async function open(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Returns the text that arrives until the connection is closed. */
function textOf(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.once('close', () => resolve(text));
    if (socket.closed) resolve(text);
  });
}

function residentMiB(): number {
  const status = readFileSync(`/proc/${program.pid}/status`, 'latin1');
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024);
}

/** Returns seconds. */
function since(startedAt: number): number {
  return Math.round((performance.now() - startedAt) / 10) / 100;
}

function report(what: string, value: number, unit: string): void {
  rows.push({ case: what, subject: 'api', value, unit });
  if (!values.json) process.stdout.write(`${what.padEnd(56)} ${value} ${unit}\n`);
}
