import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { temporaryDatabase } from '@app/persistence/testing';
import { administrator, Client, newEmail } from '@app/service/testing';
import { inject } from 'vitest';
import type { Build } from './builds.setup.mts';
import { endProcesses } from './processes';
import { launch, type Program, startProgram } from './programs';

const builds: readonly Build[] = inject('builds');
const workspace = builds[0]?.workspace ?? '';
const password = 'correct horse battery staple';

let database: Awaited<ReturnType<typeof temporaryDatabase>>;
beforeEach(async () => (database = await temporaryDatabase()));
afterEach(async () => {
  await endProcesses();
  await database.remove();
});

const startApi = () => startProgram(workspace, 'api', { DATABASE_URL: database.url });

describe('a built program', () => {
  it('answers accepted requests and exits with 0 on SIGTERM', async () => {
    const program = await startApi();
    const { status } = await new Client(program.url).get('/health/ready');
    expect(status).toBe(200);
    expect(await program.stop('SIGTERM')).toBe(0);
    const again = await startApi();
    expect(await again.stop('SIGINT')).toBe(0);
  });

  it('reports a port in use with EADDRINUSE and PORT, in one line, and exits with 1', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as AddressInfo;
    const program = launch(workspace, 'api', { DATABASE_URL: database.url, PORT: String(port) });
    expect(await program.ended).toBe(1);
    const complaints = program.lines.filter((line) => line.includes('EADDRINUSE'));
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toContain(String(port));
    expect(complaints[0]).toContain('PORT');
    blocker.close();
  });

  it('starts concurrently with another on one empty database file, and both have the same accounts', async () => {
    const [api, admin] = await Promise.all([
      startApi(),
      startProgram(workspace, 'admin', { DATABASE_URL: database.url }),
    ]);
    const email = newEmail();
    expect((await new Client(api.url).post('/users', { email, password })).status).toBe(201);
    const operator = await signIn(admin);
    const { items } = (await operator.get('/users')).json;
    expect(items.map((user: { email: string }) => user.email)).toEqual([administrator.email, email]);
    expect(await Promise.all([api.stop(), admin.stop()])).toEqual([0, 0]);
  });

  it('has all acknowledged writes after it was killed', async () => {
    const killed = await startApi();
    const acknowledged = await signUpUntilDead(killed);
    expect(acknowledged.length).toBeGreaterThan(5);

    const restarted = await startApi();
    // One after the other: on a busy machine some of ten concurrent sign-ins would be rejected.
    for (const email of acknowledged)
      expect([email, await signInStatus(restarted, email)]).toEqual([email, 200]);
    expect(await restarted.stop()).toBe(0);
  });
});

/** Signs users up on two connections, kills the program meanwhile, and returns those that were answered with 201. */
async function signUpUntilDead(program: Program): Promise<readonly string[]> {
  const client = new Client(program.url);
  const acknowledged: string[] = [];
  const signUp = async () => {
    for (;;) {
      const email = newEmail();
      const { status } = await client.post('/users', { email, password });
      if (status === 201) acknowledged.push(email);
      if (acknowledged.length === 10) program.signal('SIGKILL');
    }
  };
  await Promise.allSettled([signUp(), signUp()]);
  expect(await program.ended).toBe(137);
  return acknowledged;
}

function signIn({ url }: Program): Promise<Client> {
  return new Client(url).signIn(administrator.email, administrator.password);
}

async function signInStatus({ url }: Program, username: string): Promise<number> {
  return (await new Client(url).post('/auth/login', { username, password })).status;
}
