import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../tools/drill/programs/free-port.mts';

/** A response and its duration. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly milliseconds: number;
}

/** A request. A request with a body is a POST. */
export interface Call {
  readonly path: string;
  /** The connection pool. A probe has a separate pool, so that it never waits for a connection behind a flood. */
  readonly agent?: Agent;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** The built `api` on a free port of this machine, with an empty folder or with the database that `DATABASE_URL` names. */
export interface BuiltApi {
  readonly program: ChildProcess;
  readonly port: number;
  /** Sends a request like a trusted proxy on this machine. */
  call(call: Call): Promise<Reply>;
  /** The authorization header of the administrator. */
  readonly authorization: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const entry = join(import.meta.dirname, '../dist/apps/api/main.js');
const administrator = { email: 'admin@example.com', password: 'an administrator of benchmarks' };

/** Starts the program and signs its administrator in. */
export async function startBuiltApi(env: Readonly<Record<string, string>> = {}): Promise<BuiltApi> {
  if (!existsSync(entry)) throw new Error(`There is no ${entry}: run npm run build first.`);
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  const port = await freePort();
  const program = spawnApi(folder, port, env);
  const call = (options: Call) => send(port, options);
  const stop = async () => {
    await end(program);
    rmSync(folder, { recursive: true });
  };
  try {
    await firstAnswer(call);
    const { email: username, password } = administrator;
    const { text } = await call({ path: '/auth/login', body: { username, password } });
    const authorization = { authorization: `Bearer ${JSON.parse(text).access_token}` };
    return { program, port, call, authorization, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns the header for a random client address, as a trusted proxy sends it. */
export function fromAnyAddress(): Readonly<Record<string, string>> {
  return { 'x-forwarded-for': `10.${anyByte()}.${anyByte()}.${anyByte()}` };
}

function anyByte(): number {
  return Math.floor(Math.random() * 254) + 1;
}

/** Starts the program on all cores but the first, if the system supports it. */
function spawnApi(folder: string, port: number, env: Readonly<Record<string, string>>): ChildProcess {
  const isApart =
    process.platform === 'linux' && availableParallelism() > 2 && existsSync('/usr/bin/taskset');
  const apart = isApart ? ['/usr/bin/taskset', '-c', `1-${availableParallelism() - 1}`] : [];
  const [command, ...args] = [...apart, process.execPath, entry];
  return spawn(command, args, {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATABASE_URL: process.env.DATABASE_URL ?? 'sqlite:data/sluice.db',
      JWT_SECRET: 'a secret of benchmarks, long enough to sign with',
      ADMIN_EMAIL: administrator.email,
      ADMIN_PASSWORD: administrator.password,
      ACCESS_TOKEN_TTL: '1h',
      TRUST_PROXY: 'loopback',
      LOG_LEVEL: 'error',
      ...env,
    },
    stdio: 'ignore',
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** Polls until the server answers, which a benchmark may do. */
async function firstAnswer(call: BuiltApi['call']): Promise<void> {
  for (let n = 0; n < 300; n += 1) {
    const reply = await call({ path: '/health/ready' }).catch(() => undefined);
    if (reply?.status === 200) return;
    await pause(100);
  }
  throw new Error('The program did not answer within 30 s.');
}

function send(port: number, { path, agent, headers = {}, body }: Call): Promise<Reply> {
  const content = body && JSON.stringify(body);
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const asked = request({
      agent,
      host: '127.0.0.1',
      port,
      path,
      method: content ? 'POST' : 'GET',
      headers: { ...headers, ...(content ? { 'content-type': 'application/json' } : {}) },
    });
    asked.on('error', reject);
    asked.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('error', reject);
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const milliseconds = performance.now() - begun;
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString(), milliseconds });
      });
    });
    asked.end(content);
  });
}
