import { once } from 'node:events';
import { access, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleProgram, type SpawnedProgram, spawnProgram } from '../../testing/spawn-program';

type Bundled = Awaited<ReturnType<typeof bundleProgram>>;

let waiting: Bundled;
let stuck: Bundled;
const children: SpawnedProgram[] = [];

beforeAll(async () => {
  [waiting, stuck] = await Promise.all([bundleProgram('waiting.main'), bundleProgram('stuck.main')]);
});
afterEach(() => children.splice(0).forEach(({ child }) => child.kill('SIGKILL')));
afterAll(() => Promise.all([waiting.remove(), stuck.remove()]));

function run({ path }: Bundled, env?: Record<string, string>): SpawnedProgram {
  const program = spawnProgram(path, env);
  children.push(program);
  return program;
}

async function runListening(env?: Record<string, string>): Promise<SpawnedProgram & { url: string }> {
  const program = run(waiting, env);
  const { url } = await program.waitForLog('listening');
  return { ...program, url: String(url) };
}

describe('a program that starts', () => {
  it('logs one line with its actual URL and its public routes', async () => {
    const program = run(waiting);
    const line = await program.waitForLog('listening');
    expect(line).toMatchObject({
      level: 'info',
      name: 'waiting',
      about: expect.stringMatching(/^sluice \d+\.\d+\.\d+ \(waiting\)$/),
      publicRoutes: expect.arrayContaining(['GET /', 'GET /health/ready']),
    });
    const answer = await fetch(String(line.url));
    expect(await answer.text()).toBe('at home');
  });

  it('answers with metrics on a port of their own, and not on its own', async () => {
    const program = run(waiting, { METRICS_PORT: '0' });
    const { url, metrics } = await program.waitForLog('listening');
    await fetch(String(url));
    const reply = await fetch(String(metrics));
    expect([reply.status, reply.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    expect(await reply.text()).toContain('http_requests_total{method="GET",route="/",status="200"} 1\n');
    expect((await fetch(new URL('/other', String(metrics)))).status).toBe(404);
    expect((await fetch(`${String(url)}/metrics`)).status).toBe(404);
    program.child.kill('SIGTERM');
    expect(await program.exitCode).toBe(0);
  });

  it('reports every problem of its settings, one per line, and exits with 1', async () => {
    const program = run(waiting, { PORT: 'many', LOG_LEVEL: 'loud' });
    expect(await program.exitCode).toBe(1);
    expect(await program.stderr).toMatch(
      /^sluice waiting did not start: PORT [^\n]+\n[^\n]+ LOG_LEVEL [^\n]+\n$/,
    );
  });

  it('reports a port in use, with EADDRINUSE and PORT, on one line, and exits with 1', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const port = portOf(blocker);
    const program = run(waiting, { PORT: port });
    expect(await program.exitCode).toBe(1);
    expect(await program.stderr).toBe(
      `sluice waiting did not start: port ${port} of 127.0.0.1 is in use (EADDRINUSE). ` +
        'Stop the program that uses it, or set PORT to a free one, such as PORT=3001.\n',
    );
    expect(program.logLines).toEqual([]);
    blocker.close();
  });
});

describe('a program that runs', () => {
  // Fault 12 of the stock stack: a closed log pipe ended the process at the first line after it.
  it('survives the exit of the process that reads its log', async () => {
    const { child, url, exitCode } = await runListening();
    child.stdout?.destroy();
    child.stderr?.destroy();
    for (let count = 0; count < 5; count++) {
      expect((await fetch(`${url}/nowhere`)).status).toBe(404);
    }
    child.kill('SIGTERM');
    expect(await exitCode).toBe(0);
  });

  it('logs an uncaught exception and exits with 1', async () => {
    const { url, exitCode, waitForLog } = await runListening();
    const line = waitForLog('uncaught exception');
    await fetch(`${url}/break`);
    expect(await line).toMatchObject({
      level: 'fatal',
      err: { message: 'not caught: postgres://me:[hidden]@host/db' },
    });
    expect(await exitCode).toBe(1);
  });
});

describe('a program that receives a signal', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'answers accepted requests and exits with 0 on %s',
    async (signal) => {
      const { child, url, exitCode, waitForLog } = await runListening();
      const answer = fetch(`${url}/wait`);
      await once(child, 'message');
      const started = waitForLog('graceful shutdown started');
      child.kill(signal);
      expect(await started).toMatchObject({ signal });
      const last = waitForLog('graceful shutdown completed');
      child.send('go on');
      expect(await (await answer).text()).toBe('late but whole');
      await last;
      expect(await exitCode).toBe(0);
    },
  );

  it('serves until the drain delay is over, with Connection: close', async () => {
    const { child, url, exitCode, waitForLog } = await runListening({ DRAIN_DELAY: '700ms' });
    const before = await fetch(url);
    expect(before.headers.get('connection')).toBe('keep-alive');
    const [started, last] = [
      waitForLog('graceful shutdown started'),
      waitForLog('graceful shutdown completed'),
    ];
    child.kill('SIGTERM');
    const startedAt = Date.parse(String((await started).time));

    const answer = await fetch(url);
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    const readiness = await fetch(`${url}/health/ready`);
    expect([readiness.status, await readiness.json()]).toEqual([503, { status: 'draining' }]);

    expect(Date.parse(String((await last).time)) - startedAt).toBeGreaterThanOrEqual(690);
    expect(await exitCode).toBe(0);
  });

  it('continues on SIGHUP and SIGUSR2', async () => {
    const { child, url, exitCode } = await runListening();
    child.kill('SIGHUP');
    child.kill('SIGUSR2');
    expect((await fetch(url)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await exitCode).toBe(0);
  });

  it('logs to a new file after the old one was moved and SIGHUP', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-'));
    const [file, moved] = [join(folder, 'log'), join(folder, 'log.1')];
    const { child, exitCode } = run(waiting, { LOG_FILE: file });
    const isListening = async () => expect(await readFile(file, 'utf8')).toContain('"msg":"listening"');
    await vi.waitFor(isListening, { timeout: 20_000 });
    await rename(file, moved);
    child.kill('SIGHUP');
    await vi.waitFor(() => access(file), { timeout: 20_000 });
    child.kill('SIGTERM');
    expect(await exitCode).toBe(0);

    expect(await readFile(file, 'utf8')).toContain('"msg":"graceful shutdown completed"');
    expect(await readFile(moved, 'utf8')).not.toContain('"msg":"graceful shutdown completed"');
    await rm(folder, { recursive: true });
  });

  it('does not start if the log file cannot be written', async () => {
    const program = run(waiting, { LOG_FILE: '/nowhere/at-all/log' });
    expect(await program.exitCode).toBe(1);
    expect(await program.stderr).toBe(
      'sluice waiting did not start: the log file /nowhere/at-all/log cannot be written (ENOENT). ' +
        'Create its folder, or correct LOG_FILE.\n',
    );
  });

  it('exits at once, with 1, on a second signal', async () => {
    const { child, url, exitCode } = await runListening();
    fetch(`${url}/wait`).catch(() => undefined);
    await once(child, 'message');
    const asking = setInterval(() => child.kill('SIGTERM'), 50);
    expect(await exitCode).toBe(1);
    clearInterval(asking);
  });

  it('logs a timeout and exits with 1 when requests take too long', async () => {
    const { child, exitCode, waitForLog } = run(stuck);
    await once(child, 'message');
    const line = waitForLog('graceful shutdown timed out');
    child.kill('SIGTERM');
    expect(await line).toMatchObject({ level: 'fatal', deadlineMs: 100 });
    expect(await exitCode).toBe(1);
  });
});

function portOf(server: Server): string {
  const address = server.address();
  return typeof address === 'object' ? String(address?.port) : '';
}
