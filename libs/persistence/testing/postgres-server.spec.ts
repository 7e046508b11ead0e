import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { startProgram } from './child-program';
import { guardArguments, startPostgres } from './postgres-server';

// On the runs that have no need of a server, this would only make them slow.
describe.runIf(process.env.TEST_DATABASE_URL)('a PostgreSQL of our own', () => {
  it('is there once it has started, and gone once it has stopped', async () => {
    const server = await startPostgres();
    expect(await canConnect(server.url)).toBe(true);

    await server.stop();
    expect(await canConnect(server.url)).toBe(false);
  }, 60_000);

  it('is gone once its starter was killed, whenever that was', async () => {
    const holder = startProgram('holder.program.ts', ...guardArguments());
    if (!holder.stdout) throw new TypeError('the program is started with a pipe');
    const output = holder.stdout;
    const allGone = once(output, 'close');
    const [line] = await once(createInterface(output), 'line');
    const { url } = JSON.parse(line);

    holder.kill('SIGKILL');
    // The guard shares the pipe, and ends after the server and its files are gone.
    await allGone;

    expect(await canConnect(url)).toBe(false);
  }, 60_000);
});

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
