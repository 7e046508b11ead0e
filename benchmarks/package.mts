/**
 * Measures the packed engine in a stock Nest 12 program, before and after the single changed line, and with `writeReplies`. It
 * reports CPU per request, the time until the program listens, and its memory. Two programs run side by side and receive
 * requests in turns. The pipe alone is timed in separate processes, because the pipes in a process share their libraries.
 *
 * `--quick` measures fewer requests. `--json` writes rows `{case, subject, value, unit}`.
 */
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packEngine } from '../tools/pack/engine/pack.mts';
import type { Asked } from '../test/package/requests.ts';
import '../scripts/load-sources.mts';

const { requests } = await import('../test/package/requests.ts');
const { installLinked, writeProgram } = await import('../test/package/stock-program.ts');

const { values: flags } = parseArgs({ options: { quick: { type: 'boolean' }, json: { type: 'boolean' } } });
const ROUNDS = flags.quick ? 1 : 5;
const REQUESTS = flags.quick ? 100 : 600;
const CONNECTIONS = 16;

const measured: object[] = [];

/** The requests and their names in the table. */
const cases: readonly (readonly [name: string, asked: Asked])[] = [
  ['create with ten items', asked(({ method, path }) => method === 'POST' && path === 'orders')],
  [
    'refused create',
    asked(({ path, body }) => path === 'orders' && JSON.stringify(body).includes('tomorrow')),
  ],
  ['list of 100', { method: 'GET', path: 'orders?limit=100' }],
];

function asked(isIt: (question: Asked) => boolean): Asked {
  const question = requests.find(isIt);
  if (!question) throw new Error('the requests of the comparison have changed');
  return question;
}

/** Responds to a message with the process's CPU time in microseconds and its memory in bytes. */
const report = `process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send({ cpu: user + system, memory: process.memoryUsage.rss() });
});`;

interface Report {
  readonly cpu: number;
  readonly memory: number;
}

interface Program {
  readonly child: ChildProcess;
  readonly url: string;
  /** The CPU time until the program listened, in milliseconds. */
  readonly startMs: number;
}

async function startProgram(cwd: string, adapter: string, hook: string): Promise<Program> {
  const execArgv = ['--import', hook];
  const env = { ...process.env, ADAPTER: adapter };
  const child = fork(join(cwd, 'main.js'), {
    cwd,
    env,
    execArgv,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = /^listening on (.+)$/.exec(line)?.[1];
    if (url) return { child, url, startMs: (await reportOf(child)).cpu / 1000 };
  }
  throw new Error('the program ended before it listened');
}

async function reportOf(child: ChildProcess): Promise<Report> {
  child.send('report');
  const [sent]: Report[] = await once(child, 'message');
  return sent!;
}

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

/** Sends a request and returns the response body. */
function send(url: string, { method, path, body }: Asked): Promise<string> {
  return new Promise((done, fail) => {
    const headers = { 'content-type': 'application/json' };
    const sent = request(`${url}/${path}`, { method, agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => done(text));
    });
    sent.on('error', fail).end(method === 'GET' ? undefined : JSON.stringify(body));
  });
}

async function sendMany(url: string, question: Asked, count: number): Promise<void> {
  let left = count;
  const sendNext = async () => {
    while (left-- > 0) await send(url, question);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sendNext));
}

/** Returns the program's CPU per request in microseconds. */
async function cpuOf({ child, url }: Program, question: Asked): Promise<number> {
  const before = await reportOf(child);
  await sendMany(url, question, REQUESTS);
  return ((await reportOf(child)).cpu - before.cpu) / REQUESTS;
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)]!;
}

/** Returns a table row and records its two rows for `--json`. */
function row(name: string, [first = 0, second = 0]: readonly number[], unit: string): string {
  measured.push(
    { case: name, subject: 'before', value: first, unit },
    { case: name, subject: 'after', value: second, unit },
  );
  const [before, after] = [first, second].map((value) => value.toFixed(value < 10 ? 1 : 0));
  return `| ${name} | ${before} ${unit} | ${after} ${unit} | ${(first / second).toFixed(2)}× |`;
}

/** Compares the CPU of both programs in each case. The programs run until the end. */
async function compareCases(
  programs: readonly Program[],
  label: string,
  compared: typeof cases,
): Promise<string[]> {
  const rows: string[] = [];
  for (const [name, question] of compared) {
    const [expected, actual] = await Promise.all(programs.map(({ url }) => send(url, question)));
    if (expected !== actual) throw new Error(`${name}: another response`);
    for (const { url } of programs) await sendMany(url, question, REQUESTS);
    const samples: number[][] = programs.map(() => []);
    for (let round = 0; round < ROUNDS; round++)
      for (const [at, program] of programs.entries()) samples[at]!.push(await cpuOf(program, question));
    rows.push(row(`${label}: ${name}`, samples.map(median), 'µs'));
    process.stderr.write(`${rows.at(-1)}\n`);
  }
  return rows;
}

function startAll(folder: string, adapter: string, names: readonly string[]): Promise<Program[]> {
  const hook = join(folder, 'report.mjs');
  return Promise.all(names.map((name) => startProgram(join(folder, name), adapter, hook)));
}

/** Compares the programs before and after the changed line in every case, in memory and at the start. */
async function compare(folder: string, adapter: string): Promise<string[]> {
  const programs = await startAll(folder, adapter, ['before', 'after']);
  const rows = await compareCases(programs, adapter, cases);
  const memory = await Promise.all(programs.map(({ child }) => reportOf(child)));
  rows.push(
    row(
      `${adapter}: memory afterwards`,
      memory.map((usage) => usage.memory / 2 ** 20),
      'MiB',
    ),
  );
  for (const { child } of programs) child.kill();
  rows.push(row(`${adapter}: CPU until it listens`, await startsOf(folder, adapter), 'ms'));
  return rows;
}

/** Compares responses without an interceptor. */
async function compareReplies(folder: string, adapter: string): Promise<string[]> {
  const programs = await startAll(folder, adapter, ['before', 'written']);
  const list = cases.filter(([name]) => name.startsWith('list'));
  const rows = await compareCases(programs, `${adapter}, \`writeReplies\``, list);
  for (const { child } of programs) child.kill();
  return rows;
}

/** Prints the CPU of a pipe in microseconds per body. It warms up with 60,000 calls, because V8 may optimize the pipe late. */
const pipeAlone = `require('reflect-metadata');
const [, , name, dto, text] = process.argv;
const { ValidationPipe } = require(name);
const { CreateOrder } = require(dto);
const pipe = new ValidationPipe({ transform: true, whitelist: true });
const metadata = { type: 'body', metatype: CreateOrder };
const body = JSON.parse(text);
const run = async (count) => {
  for (let left = count; left > 0; left--) await pipe.transform(body, metadata);
};
(async () => {
  await run(60000);
  const { user, system } = process.cpuUsage();
  await run(20000);
  const after = process.cpuUsage();
  console.log((after.user + after.system - user - system) / 20000);
})();
`;

/** Prints the CPU of an interceptor in microseconds per list with 100 views, in a program that sends further classes too. */
const interceptorAlone = `require('reflect-metadata');
const [, , name, count] = process.argv;
const { ClassSerializerInterceptor } = require(name);
const { Exclude, Expose, Transform } = require('class-transformer');
const declare = (type, property, ...decorators) => decorators.forEach((one) => one(type.prototype, property));
class View {}
declare(View, 'id', Expose({ name: 'key' }));
declare(View, 'role', Expose({ groups: ['admin'] }));
declare(View, 'secret', Exclude());
const views = Array.from({ length: 100 }, (_, id) =>
  Object.assign(new View(), { id, email: 'ada.lovelace@example.com', role: 'user', secret: 'never sent' }));
const interceptor = new ClassSerializerInterceptor();
(async () => {
  // Nest's own loads its package later.
  await new Promise((done) => setTimeout(done, 50));
  await interceptor.intercept({ getHandler() {}, getClass() {} }, { handle: () => require('rxjs').of(0) }).catch(() => 0);
  for (let at = 0; at < Number(count); at++) {
    const Other = class {};
    declare(Other, 'id', Expose({ name: 'key' + at }));
    declare(Other, 'name', Expose({ groups: ['admin'] }));
    declare(Other, 'secret', Transform(({ value }) => value, { toPlainOnly: true }));
    interceptor.serialize(Object.assign(new Other(), { id: at, name: 'other', secret: 'text' }), {});
  }
  const run = (times) => {
    for (let left = times; left > 0; left--) JSON.stringify(interceptor.serialize(views, {}));
  };
  run(3000);
  const { user, system } = process.cpuUsage();
  run(3000);
  const after = process.cpuUsage();
  console.log((after.user + after.system - user - system) / 3000);
})();
`;

/** Runs a program that prints microseconds, for both packages in turns. */
async function compareAlone(
  folder: string,
  name: string,
  { program, args }: { readonly program: string; readonly args: readonly string[] },
): Promise<string> {
  await writeFile(join(folder, 'alone.cjs'), program);
  const samples: number[][] = [[], []];
  for (let round = 0; round < ROUNDS; round++)
    for (const [at, used] of ['@nestjs/common', '@sluice/engine/nest'].entries()) {
      const argv = ['alone.cjs', used, ...args];
      samples[at]!.push(Number(execFileSync(process.execPath, argv, { cwd: folder, encoding: 'utf8' })));
    }
  return row(name, samples.map(median), 'µs');
}

async function compareParts(folder: string): Promise<string[]> {
  const body = JSON.stringify(cases[0]?.[1].body);
  const pipe = { program: pipeAlone, args: ['./before/orders.dto.js', body] };
  const rows = [await compareAlone(folder, 'the pipe alone: create with ten items', pipe)];
  for (const count of ['0', '100']) {
    const name = `the interceptor alone: list of 100, ${count} other classes`;
    rows.push(await compareAlone(folder, name, { program: interceptorAlone, args: [count] }));
  }
  return rows;
}

async function startsOf(folder: string, adapter: string): Promise<number[]> {
  const hook = join(folder, 'report.mjs');
  const samples: number[][] = [[], []];
  for (let round = 0; round < ROUNDS; round++)
    for (const [at, name] of ['before', 'after'].entries()) {
      const { child, startMs } = await startProgram(join(folder, name), adapter, hook);
      samples[at]!.push(startMs);
      child.kill();
    }
  return samples.map(median);
}

const folder = await realpath(await mkdtemp(join(tmpdir(), 'bench-package-')));
try {
  const tarball = await packEngine(join(folder, 'packed/engine'));
  const nest = ['common', 'core', 'platform-express', 'platform-fastify'].map((name) => `@nestjs/${name}`);
  await installLinked(folder, tarball, [
    'class-validator',
    'class-transformer',
    'reflect-metadata',
    'rxjs',
    ...nest,
  ]);
  await writeFile(join(folder, 'report.mjs'), report);
  await writeProgram(join(folder, 'before'), 'cjs', '@nestjs/common');
  await writeProgram(join(folder, 'after'), 'cjs', '@sluice/engine/nest');
  await writeProgram(join(folder, 'written'), 'cjs', 'the writer of replies');
  const rows = await compareParts(folder);
  for (const adapter of ['fastify', 'express'])
    rows.push(...(await compare(folder, adapter)), ...(await compareReplies(folder, adapter)));
  const head = ['| Nest 12, CPU of the program | before | after | |', '|---|---:|---:|---:|'];
  process.stdout.write(flags.json ? `${JSON.stringify(measured)}\n` : `${[...head, ...rows].join('\n')}\n`);
} finally {
  agent.destroy();
  await rm(folder, { recursive: true });
}
