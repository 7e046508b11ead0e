import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as pause } from 'node:timers/promises';
import { bundleProgram, type SpawnedProgram, spawnProgram } from '../../testing/spawn-program';

let waiting: Awaited<ReturnType<typeof bundleProgram>>;
const children: SpawnedProgram[] = [];

beforeAll(async () => void (waiting = await bundleProgram('waiting.main')));
afterAll(async () => {
  for (const { child } of children) child.kill('SIGKILL');
  await waiting.remove();
});

interface Workers extends SpawnedProgram {
  readonly url: string;
  readonly metrics: string;
}

async function run(env: Record<string, string> = {}): Promise<Workers> {
  const program = spawnProgram(waiting.path, { WORKERS: '2', ...env });
  children.push(program);
  const { url, metrics } = await program.waitForLog('listening');
  return { ...program, url: String(url), metrics: String(metrics) };
}

/** Each request has a connection of its own, so that the workers get them in turn. */
const get = (url: string) => fetch(url, { headers: { connection: 'close' } });

/** The processes that have answered. */
const pids = ({ logLines }: SpawnedProgram) =>
  new Set(logLines.filter(({ msg }) => msg === 'request completed').map(({ pid }) => pid));

async function untilBothAnswered(program: Workers): Promise<ReadonlySet<unknown>> {
  while (pids(program).size < 2) expect((await get(program.url)).status).toBe(200);
  return pids(program);
}

describe('two workers', () => {
  let program: Workers;
  beforeAll(async () => void (program = await run({ METRICS_PORT: '0' })));

  it('respond on one port, and log complete lines into one log', async () => {
    expect(await untilBothAnswered(program)).not.toContain(program.child.pid);
    expect(program.logLines.filter(({ msg }) => msg === 'listening')).toMatchObject([{ workers: 2 }]);
  });

  it('have their metrics on one port', async () => {
    await untilBothAnswered(program);
    const text = await (await fetch(program.metrics)).text();
    for (const worker of ['1', '2'])
      expect(text).toMatch(new RegExp(`^process_cpu_seconds_total\\{worker="${worker}"\\} \\d`, 'm'));
    expect(text).toMatch(/^http_requests_total\{.*route="\/".*worker="[12]"\} [1-9]\d*$/m);
    expect(text.match(/^# TYPE http_requests_total /gm)).toHaveLength(1);
    expect(text).toMatch(/^sluice_worker_restarts_total \d+$/m);
  });

  it('are replaced when one exits, and the log says so', async () => {
    const before = await untilBothAnswered(program);
    await get(`${program.url}/break`);
    const exited = { level: 'error', code: 1, restartMs: 100 };
    expect(await program.waitForLog('worker exited')).toMatchObject(exited);
    await program.waitForLog('worker restarted');
    while ([...pids(program)].every((pid) => before.has(pid))) await get(program.url);
  });
});

describe.runIf(process.platform === 'linux')('of two workers', () => {
  const pidsOf = ({ child }: SpawnedProgram) =>
    readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ').map(Number);

  it('one that is stopped is replaced', async () => {
    const program = await run({ WORKER_TIMEOUT: '1s' });
    const before = await untilBothAnswered(program);
    const [stopped = 0] = pidsOf(program);
    process.kill(stopped, 'SIGSTOP');
    expect(await program.waitForLog('worker unresponsive')).toMatchObject({ level: 'error' });
    expect(await program.waitForLog('worker exited')).toMatchObject({ signal: 'SIGKILL' });
    await program.waitForLog('worker restarted');
    while ([...pids(program)].every((pid) => before.has(pid))) await get(program.url);
  });

  it('the second is replaced if it dies before it listens, and the program starts', async () => {
    const program = spawnProgram(waiting.path, { WORKERS: '2' });
    children.push(program);
    while (pidsOf(program).length < 2) await pause();
    process.kill(pidsOf(program)[1] ?? 0, 'SIGKILL');
    expect(await program.waitForLog('worker exited')).toMatchObject({ worker: 2, signal: 'SIGKILL' });
    const { url } = await program.waitForLog('listening');
    await program.waitForLog('worker restarted');
    await untilBothAnswered({ ...program, url: String(url), metrics: '' });
  });
});

describe('a program with two workers', () => {
  it('shuts both down on SIGTERM, and has all their lines in one file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-workers-'));
    const file = join(folder, 'log');
    const program = spawnProgram(waiting.path, { WORKERS: '2', LOG_FILE: file, PORT: '0' });
    children.push(program);
    const logged = async () => (await readFile(file, 'utf8').catch(() => '')).trim().split('\n');
    while (!(await logged()).some((line) => line.includes('"listening"')));
    program.child.kill('SIGTERM');
    expect(await program.exitCode).toBe(0);
    const lines: { pid: number; msg: string }[] = (await logged()).map((line) => JSON.parse(line));
    const ended = lines.filter(({ msg }) => msg === 'graceful shutdown completed');
    expect([new Set(ended.map(({ pid }) => pid)).size, ended.at(-1)?.pid]).toEqual([3, program.child.pid]);
    await rm(folder, { recursive: true });
  });

  it('does not start on a port that is in use, and says why once', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const address = blocker.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const program = spawnProgram(waiting.path, { WORKERS: '2', PORT: port });
    children.push(program);
    expect(await program.exitCode).toBe(1);
    expect(await program.stderr).toMatch(/^sluice waiting did not start: port \d+ [^\n]*EADDRINUSE[^\n]*\n$/);
    blocker.close();
  });
});
