import { once } from 'node:events';
import { AccessTokens } from '@app/auth';
import { openDatabase } from '@app/persistence';
import { baseSchema, migratedDatabase, sampleSchema } from '@app/persistence/testing';
import { schemasOf } from '@app/service';
import { bundleProgram, Client, type SpawnedProgram, spawnProgram } from '@app/service/testing';

const tokens = new AccessTokens({ secret: 'a secret of tests, long enough to sign with', ttlSeconds: 600 });

describe('a program that is killed between the commit of a request and its response', () => {
  let bundle: Awaited<ReturnType<typeof bundleProgram>>;
  let database: Awaited<ReturnType<typeof migratedDatabase>>;
  const running: SpawnedProgram[] = [];

  beforeAll(async () => {
    [bundle, database] = await Promise.all([
      bundleProgram('unanswered.main'),
      migratedDatabase(
        schemasOf({ name: sampleSchema.owner, tables: [...baseSchema.tables, ...sampleSchema.tables] }).all,
      ),
    ]);
  });
  afterAll(async () => {
    for (const { child } of running) child.kill('SIGKILL');
    await Promise.all(running.map(({ exitCode }) => exitCode));
    await Promise.all([bundle.remove(), database.remove()]);
  });

  async function start(): Promise<{ program: SpawnedProgram; client: Client }> {
    const program = spawnProgram(bundle.path, { DATABASE_URL: database.url });
    running.push(program);
    const { url } = await program.waitForLog('listening');
    const token = tokens.sign({ sub: 7, username: 'ada@example.com' }, Date.now());
    return { program, client: new Client(String(url)).as(token).with({ 'idempotency-key': 'one' }) };
  }

  it('sends that response to the retry', async () => {
    const { program, client } = await start();
    const lost = client.post('/items').catch(String);
    await once(program.child, 'message');
    program.child.kill('SIGKILL');
    expect(await lost).toContain('fetch failed');

    const retry = await (await start()).client.post('/items');
    expect([retry.status, retry.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    const db = openDatabase(database.url);
    const rows = await db.selectFrom('sampleProduct').select('id').execute();
    await db.destroy();
    expect(rows.map(({ id }) => `made ${id}`)).toEqual([retry.text]);
  }, 60_000);
});
