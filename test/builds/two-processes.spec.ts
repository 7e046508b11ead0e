import {
  type PostgresServer,
  startPostgres,
  temporaryDatabase,
  type TemporaryDatabase,
} from '@app/persistence/testing';
import { administrator, Client, newEmail } from '@app/service/testing';
import { inject } from 'vitest';
import { endProcesses } from './processes';
import { startProgram } from './programs';

const workspace = inject('builds')[0]?.workspace ?? '';
const password = 'correct horse battery staple';

/** The limit of D17, in milliseconds. */
const PROMISE_MS = 1000;
/** The fastest of so many revocations must be within the limit: the machine may be busy sometimes, but not every time. */
const ENDS = 5;

const stores = {
  SQLite: () => temporaryDatabase(),
  PostgreSQL: async () => {
    const server = await startPostgres();
    return { url: server.url, remove: () => server.stop() } satisfies TemporaryDatabase;
  },
};

describe.each(Object.entries(stores))('two processes on one store: %s', (_, openStore) => {
  let store: Pick<PostgresServer, 'url'> & TemporaryDatabase;
  beforeAll(async () => (store = await openStore()));
  afterEach(() => endProcesses());
  afterAll(() => store.remove());

  const start = async (app: string) =>
    new Client((await startProgram(workspace, app, { DATABASE_URL: store.url })).url);

  it('reject in every process, within a second, a session that was ended in one', async () => {
    const api = await start('api');
    const others = [await start('api'), await start('api')];
    const credentials = { username: administrator.email, password: administrator.password };
    const waits: number[] = [];
    for (let end = 0; end < ENDS; end++) {
      const { json } = await api.post('/auth/sessions', credentials);
      const there = others.map((client) => client.as(json.access_token));
      expect(await statuses(there)).toEqual([200, 200]);
      expect((await api.as(json.access_token).post('/auth/logout')).status).toBe(204);
      waits.push(await msUntilRefused(there));
    }
    expect(Math.min(...waits)).toBeLessThan(PROMISE_MS);
  });

  it('reject within a second all tokens of a user whom an operator disables', async () => {
    const api = await start('api');
    const operator = await (await start('admin')).signIn(administrator.email, administrator.password);
    const waits: number[] = [];
    for (let end = 0; end < ENDS; end++) {
      const email = newEmail();
      const { headers } = await api.post('/users', { email, password });
      const session = (await api.post('/auth/sessions', { username: email, password })).json;
      const tokens = [
        session.access_token,
        (await api.post('/auth/login', { username: email, password })).json.access_token,
      ];
      const signedIn = tokens.map((token) => api.as(token));
      expect(await statuses(signedIn)).toEqual([200, 200]);
      expect((await operator.patch(headers.get('location') ?? '', { disabled: true })).status).toBe(200);
      waits.push(await msUntilRefused(signedIn));
      expect((await api.post('/auth/refresh', { refresh_token: session.refresh_token })).status).toBe(401);
    }
    expect(Math.min(...waits)).toBeLessThan(PROMISE_MS);
  });

  it('reject in both workers of one program, within a second, a session that was ended in one', async () => {
    const { url } = await startProgram(workspace, 'api', { DATABASE_URL: store.url, WORKERS: '2' });
    const api = new Client(url);
    const credentials = { username: administrator.email, password: administrator.password };
    const waits: number[] = [];
    for (let end = 0; end < ENDS; end++) {
      const { json } = await api.post('/auth/sessions', credentials);
      expect(new Set(await statusesOnConnections(url, json.access_token))).toEqual(new Set([200]));
      expect((await api.as(json.access_token).post('/auth/logout')).status).toBe(204);
      const startedAt = performance.now();
      while ((await statusesOnConnections(url, json.access_token)).includes(200));
      waits.push(performance.now() - startedAt);
    }
    expect(Math.min(...waits)).toBeLessThan(PROMISE_MS);
  });
});

/** The connection count at which each worker gets some connections. */
const CONNECTIONS = 8;

function statusesOnConnections(url: string, token: string): Promise<number[]> {
  const headers = { authorization: `Bearer ${token}`, connection: 'close' };
  const asked = Array.from({ length: CONNECTIONS }, async () => {
    const response = await fetch(`${url}/auth/profile`, { headers });
    return response.status;
  });
  return Promise.all(asked);
}

const statuses = (clients: readonly Client[]) =>
  Promise.all(clients.map(async (client) => (await client.get('/auth/profile')).status));

/** How long it takes until all of them are rejected; in milliseconds. The timeout of the test ends the wait. */
async function msUntilRefused(clients: readonly Client[]): Promise<number> {
  const startedAt = performance.now();
  while ((await statuses(clients)).some((status) => status === 200));
  return performance.now() - startedAt;
}
