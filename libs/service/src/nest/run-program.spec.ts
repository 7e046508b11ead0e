import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
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
  const { url } = await program.logged('listening');
  return { ...program, url: String(url) };
}

describe('a program that starts', () => {
  it('says in one line where it really listens, and what is public', async () => {
    const program = run(waiting);
    const line = await program.logged('listening');
    expect(line).toMatchObject({
      level: 'info',
      name: 'waiting',
      about: expect.stringMatching(/^sluice \d+\.\d+\.\d+ \(waiting\)$/),
      publicRoutes: expect.arrayContaining(['GET /', 'GET /health/ready']),
    });
    const answer = await fetch(String(line.url));
    expect(await answer.text()).toBe('at home');
  });

  it('tells every problem of its settings in a line each, and ends with 1', async () => {
    const program = run(waiting, { PORT: 'many', LOG_LEVEL: 'loud' });
    expect(await program.ended).toBe(1);
    expect(await program.complaints).toMatch(
      /^sluice waiting did not start: PORT [^\n]+\n[^\n]+ LOG_LEVEL [^\n]+\n$/,
    );
  });

  it('names a port that is in use, EADDRINUSE and PORT in one line, and ends with 1', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const port = portOf(other);
    const program = run(waiting, { PORT: port });
    expect(await program.ended).toBe(1);
    expect(await program.complaints).toBe(
      `sluice waiting did not start: port ${port} of 127.0.0.1 is in use (EADDRINUSE). ` +
        'Stop the program that has it, or set PORT to a free one, such as PORT=3001.\n',
    );
    expect(program.told).toEqual([]);
    other.close();
  });
});

describe('a program that runs', () => {
  // Fault 12 of the stock stack: a closed log pipe ended the process at the first line after it.
  it('outlives whoever read its log', async () => {
    const { child, url, ended } = await runListening();
    child.stdout?.destroy();
    child.stderr?.destroy();
    for (let count = 0; count < 5; count++) {
      expect((await fetch(`${url}/nowhere`)).status).toBe(404);
    }
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('ends with 1 and the reason in its log when nobody caught an error', async () => {
    const { url, ended, logged } = await runListening();
    const line = logged('ended by an error that nobody caught');
    await fetch(`${url}/break`);
    expect(await line).toMatchObject({
      level: 'fatal',
      err: { message: 'nobody catches this: postgres://me:[hidden]@host/db' },
    });
    expect(await ended).toBe(1);
  });
});

describe('a program that is asked to end', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'answers what it has accepted and ends with 0 on %s',
    async (signal) => {
      const { child, url, ended, logged } = await runListening();
      const answer = fetch(`${url}/wait`);
      await once(child, 'message');
      const ending = logged('ending: answering what was accepted');
      child.kill(signal);
      expect(await ending).toMatchObject({ signal });
      const last = logged('ended');
      child.send('go on');
      expect(await (await answer).text()).toBe('late but whole');
      await last;
      expect(await ended).toBe(0);
    },
  );

  it('ends at once, with 1, when it is asked again', async () => {
    const { child, url, ended } = await runListening();
    fetch(`${url}/wait`).catch(() => undefined);
    await once(child, 'message');
    const asking = setInterval(() => child.kill('SIGTERM'), 50);
    expect(await ended).toBe(1);
    clearInterval(asking);
  });

  it('ends with 1 and a line when what it has accepted takes too long', async () => {
    const { child, ended, logged } = run(stuck);
    await once(child, 'message');
    const line = logged('ended with requests unanswered: they took longer than 0.1 s');
    child.kill('SIGTERM');
    expect(await line).toMatchObject({ level: 'fatal' });
    expect(await ended).toBe(1);
  });
});

function portOf(server: Server): string {
  const address = server.address();
  return typeof address === 'object' ? String(address?.port) : '';
}
