import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { startProgram } from './child-program';
import { supervisorArguments, startPostgres } from './postgres-server';

// Only in the runs that start a server anyway: it is slow.
describe.runIf(process.env.TEST_DATABASE_URL)('a PostgreSQL server for tests', () => {
  it('accepts connections once started, and none once stopped', async () => {
    const server = await startPostgres();
    expect(await canConnect(server.url)).toBe(true);

    await server.stop();
    expect(await canConnect(server.url)).toBe(false);
  }, 60_000);

  it('stops when the process that started it is killed', async () => {
    const holder = startProgram('lock-holder.program.ts', ...supervisorArguments());
    if (!holder.stdout) throw new TypeError('the program is started with a pipe');
    const output = holder.stdout;
    const stopped = once(output, 'close');
    const [line] = await once(createInterface(output), 'line');
    const [{ url }] = JSON.parse(line).servers;

    holder.kill('SIGKILL');
    // The supervisor shares the pipe, and exits after it has removed the server's files.
    await stopped;

    expect(await canConnect(url)).toBe(false);
  }, 60_000);
});

describe.runIf(process.env.TEST_DATABASE_URL && process.platform === 'linux')(
  'a PostgreSQL server that is managed',
  () => {
    it('is started again when it was shut down, if a test wants that', async () => {
      const server = await startPostgres({ isRestarted: true });
      const startOf = async () => {
        const client = new Client({ connectionString: server.url });
        await client.connect();
        const { rows } = await client.query('select pg_postmaster_start_time() as start');
        await client.end();
        return rows[0].start.getTime();
      };
      const first = await startOf();
      const { supervisorPid: pid } = server;
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
      process.kill(Number(children.trim()), 'SIGINT');
      await vi.waitFor(async () => expect(await startOf()).toBeGreaterThan(first), 30_000);
      await server.stop();
    }, 60_000);
  },
);

async function canConnect(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}
