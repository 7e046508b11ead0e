import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, openSync, closeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Service } from './run.mts';
import { accessTokenIn } from './wire/answers.mts';
import { IdentityProvider } from './wire/identity-provider.mts';
import { rotated } from './target/addresses.mts';
import { logIn, type ServiceLog } from './target/service-log.mts';
import { callerLimit } from './target/target.mts';

const password = 'an account of the attack';
const administrator = 'attack-admin@example.com';
const secret = 'a secret of the attack, made for one run alone';
const environment = {
  PATH: process.env.PATH,
  PORT: '0',
  DATABASE_URL: 'sqlite:attack.db',
  JWT_SECRET: secret,
  ADMIN_EMAIL: administrator,
  ADMIN_PASSWORD: password,
  // Off by default.
  EMAIL_CODES: '20/1h',
  PASSKEY_ORIGINS: 'https://attack.example',
  // The programs share the store and the attack addresses, so a program would stop the other program.
  SIGN_IN_ADDRESS_LIMIT: '300/15m',
};

/** The workspace programs that run for an attack, on an embedded store in a separate folder. */
export interface RunningPrograms {
  readonly services: ReadonlyMap<string, Service>;
  stop(): Promise<void>;
}

/**
 * Starts built programs with nearly default settings and every way to sign in, and signs two accounts up at the first program.
 *
 * @param workspace the folder that contains the built programs in `dist`
 * @throws Error with the log of a program that does not start
 */
export async function startPrograms(
  workspace: string,
  names: readonly string[],
  addresses: readonly string[],
): Promise<RunningPrograms> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-attack-'));
  const started: ChildProcess[] = [];
  const providers = await Promise.all(['acme', 'other'].map((name) => IdentityProvider.start(name)));
  const stop = async () => {
    await Promise.all(started.map(endOf));
    await Promise.all(providers.map((provider) => provider.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const services = new Map<string, Service>();
    const mailsTo = (address: string) => tokensMailedTo(address, services.get('admin')?.url);
    const recordsFrom = (address: string) => countRecords(address, services.get('admin')?.url);
    // The programs share the store and its address limits, so each program has a different first address.
    for (const [at, name] of names.entries())
      services.set(name, {
        ...(await startProgram(workspace, name, {
          folder,
          addresses: rotated(addresses, at),
          providers,
          started,
        })),
        ...(names.includes('admin') && { mailsTo, recordsFrom }),
        elsewhere: () => services.get(names.find((candidate) => candidate !== name) ?? '')?.url,
      });
    const [first] = services.values();
    for (const name of names) {
      for (const username of ['user', 'other']) await signUp(first?.url ?? '', emailOf(username, name));
    }
    return { services, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The values that the programs of an attack share. */
interface Surroundings {
  readonly folder: string;
  readonly addresses: readonly string[];
  readonly providers: readonly IdentityProvider[];
  /** The processes to be ended. */
  readonly started: ChildProcess[];
}

async function startProgram(
  workspace: string,
  name: string,
  { folder, addresses, providers, started }: Surroundings,
): Promise<Service> {
  const program = join(workspace, `dist/apps/${name}/main.js`);
  const settings = Object.assign({}, ...providers.map(settingsOf), {
    TRUSTED_ISSUERS: `${providers[0]?.issuer} audience=attack-api leeway=1s`,
    TOKEN_INTROSPECTION: `${providers[0]?.issuer} client=attack secret=of-the-attack`,
  });
  const { url, log } = await run(program, { cwd: folder, name, started }, settings);
  const startOther = async (title: string, env: Record<string, string>) => {
    const place = { cwd: folder, name: `${title}-${name}`, started };
    const neighbour = await run(program, place, { ...settings, ...env });
    return { url: neighbour.url, stop: () => endOf(neighbour.child) };
  };
  return {
    url,
    document: { path: '/openapi.json' },
    accounts: {
      user: accountOf(emailOf('user', name)),
      other: accountOf(emailOf('other', name)),
      admin: accountOf(administrator),
    },
    secret,
    log,
    addresses,
    providers,
    startSecond: () => startOther('second', {}),
    startLimited: () => startOther('limited', { RATE_LIMIT: `${callerLimit}/1m`, TRUST_PROXY: 'loopback' }),
    startWithClock: async (aheadMs, tokenSeconds) => {
      const env = {
        DATABASE_URL: `sqlite:clock-${name}.db`,
        // Files without their database keep a program from starting.
        UPLOAD_DIR: `clock-${name}-uploads`,
        ACCESS_TOKEN_TTL: `${tokenSeconds}s`,
      };
      const place = { cwd: folder, name: `clock-${name}-${aheadMs}`, started };
      const ahead = await run(program, place, env, clockAhead(aheadMs));
      return { url: ahead.url, stop: () => endOf(ahead.child) };
    },
  };
}

/** Returns the settings that let users of a program sign in through a provider. */
function settingsOf({ name, issuer }: IdentityProvider): Record<string, string> {
  const prefix = `OIDC_${name.toUpperCase()}`;
  return {
    [`${prefix}_ISSUER`]: issuer,
    [`${prefix}_CLIENT_ID`]: 'attack',
    [`${prefix}_CLIENT_SECRET`]: 'a client secret of the attack',
    [`${prefix}_TRUST_EMAIL`]: 'on',
  };
}

function accountOf(email: string): string {
  return `${email}:${password}`;
}

/** Returns Node arguments that put its clock ahead. They wrap `Date`, because libraries would not accept a new class. */
function clockAhead(milliseconds: number): readonly string[] {
  const script = `const Real = Date, now = () => Real.now() + ${milliseconds};
    globalThis.Date = new Proxy(Real, {
      construct: (target, parts) => new Real(...(parts.length === 0 ? [now()] : parts)),
      apply: () => String(new Real(now())),
      get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
    });
    Real.prototype.constructor = globalThis.Date;`;
  return ['--import', `data:text/javascript,${encodeURIComponent(script)}`];
}

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  readonly log: ServiceLog;
}

interface Place {
  readonly cwd: string;
  /** The log's name. */
  readonly name: string;
  /** The processes to be ended. */
  readonly started: ChildProcess[];
}

async function run(
  program: string,
  { cwd, name, started }: Place,
  env: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
): Promise<Running> {
  const logFile = join(cwd, `${name}.log`);
  const output = openSync(logFile, 'a');
  const child = spawn(process.execPath, [...flags, program], {
    cwd,
    env: { ...environment, ...env },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  started.push(child);
  const log = logIn(logFile);
  return { child, url: await listening(child, log), log };
}

/** Returns a separate account for each program, because the attack on a program may lock its account. */
function emailOf(account: string, program: string): string {
  return `attack-${account}-${program}@example.com`;
}

async function listening(child: ChildProcess, log: ServiceLog): Promise<string> {
  for (let waited = 0; waited < 60_000 && child.exitCode === null; waited += 50) {
    const url = /"url":"([^"]+)"/.exec(log.after(0))?.[1];
    if (url !== undefined) return url;
    await pause(50);
  }
  throw new Error(`the program did not start:\n${log.after(0)}`);
}

async function signUp(url: string, email: string): Promise<void> {
  const { status } = await fetch(`${url}/users`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  if (status !== 201) throw new Error(`POST /users answered ${status} for ${email}`);
}

interface Outbox {
  readonly items: readonly { readonly recipient: string; readonly text: string | null }[];
}

/** The tokens in the mails to an address, the last first, which the operators' program lists while no mail server is set. */
async function tokensMailedTo(address: string, url = ''): Promise<string[]> {
  const { items }: Outbox = JSON.parse(await readAsOperator(url, '/outbox?limit=100'));
  return items
    .filter(({ recipient }) => recipient === address)
    .flatMap(({ text }) => /https?:\S+#(?:\w+=)?([\w-]+)/.exec(text ?? '')?.[1] ?? []);
}

/** Counts the recent failed sign-ins from an address, page by page in the operators' program until a page has no match. */
async function countRecords(address: string, url = ''): Promise<number> {
  let count = 0;
  for (let page = 1; page <= 10; page += 1) {
    const events = await readAsOperator(url, `/audit?kind=sign-in-failed&limit=100&page=${page}`);
    const onPage = events.split(`"ip":"${address}"`).length - 1;
    if (onPage === 0 && page > 1) break;
    count += onPage;
  }
  return count;
}

async function readAsOperator(url: string, path: string): Promise<string> {
  const signIn = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: administrator, password }),
  });
  const authorization = `Bearer ${accessTokenIn(await signIn.text())}`;
  const response = await fetch(`${url}${path}`, { headers: { authorization } });
  if (!response.ok) throw new Error(`GET ${path} answered ${response.status}`);
  return response.text();
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
