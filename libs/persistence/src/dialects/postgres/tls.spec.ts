import { execFileSync } from 'node:child_process';
import { chown, rm, stat, writeFile } from 'node:fs/promises';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { openDatabase } from '../../database/database';
import { type PostgresServer, startPostgres } from '../../../testing/postgres-server';

/** A server without TLS at first, and then with nothing else. */
describe('PostgreSQL over TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-tls-'));
  const certificate = join(folder, 'server.crt');
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  /** The reason why a program cannot use the server; `undefined` if it can. */
  async function failureWith(parameters: string): Promise<string | undefined> {
    const url = `${server.url.replace('127.0.0.1', 'localhost')}?${parameters}`;
    const db = openDatabase(url);
    try {
      await db.selectNoFrom((row) => row.lit(1).as('one')).execute();
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    } finally {
      await db.destroy();
    }
  }

  /** Gives the server a certificate that it signed itself, and refuses connections without TLS. */
  async function requireTls(): Promise<void> {
    const client = new Client({ connectionString: server.url });
    await client.connect();
    const place = async (name: string): Promise<string> =>
      (await client.query(`select current_setting('${name}') as place`)).rows[0].place;
    const [data, access] = [await place('data_directory'), await place('hba_file')];
    const form = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'];
    const files = ['-keyout', join(folder, 'server.key'), '-out', certificate];
    execFileSync('openssl', ['req', ...form, '-subj', '/CN=localhost', ...files], { stdio: 'ignore' });
    const { uid, gid } = await stat(data);
    for (const name of ['server.key', 'server.crt']) {
      await writeFile(join(data, name), readFileSync(join(folder, name)), { mode: 0o600 });
      await chown(join(data, name), uid, gid);
    }
    await writeFile(access, 'hostssl all all 127.0.0.1/32 scram-sha-256\n');
    await client.query('alter system set ssl = on');
    await client.query('select pg_reload_conf()');
    await client.end();
    await vi.waitFor(async () => expect(await failureWith('sslmode=disable')).toBeDefined(), 10_000);
  }

  it('is refused with the parameter of DATABASE_URL that helps', async () => {
    expect(await failureWith('sslmode=disable')).toBeUndefined();
    expect(await failureWith('sslmode=require')).toContain(
      'the server does not offer TLS: turn TLS on there, or write sslmode=disable in DATABASE_URL',
    );
    await requireTls();
    expect(await failureWith('sslmode=disable')).toContain(
      'the server accepts no connection without TLS: write sslmode=verify-full in DATABASE_URL',
    );
    expect(await failureWith('sslmode=verify-full')).toMatch(
      /the certificate of the server is not trusted \(\w+\): write sslrootcert=FILE in DATABASE_URL/,
    );
    expect(await failureWith(`sslmode=verify-full&sslrootcert=${certificate}`)).toBeUndefined();
  }, 60_000);
});
