import { openDatabase } from '@app/persistence';
import {
  type ConflictingProxy,
  migratedDatabase,
  openConflictingProxy,
  type TemporaryDatabase,
} from '@app/persistence/testing';
import { schemasOf } from '@app/service';
import { administrator, Client } from '@app/service/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { program } from '../src/api.program';
import { startApi } from '../testing/start-api';

const canRun = process.env.TEST_DATABASE_URL !== undefined;
const order = { items: [{ sku: 'tea', quantity: '1' }] };

describe.runIf(canRun)('api whose connections are lost while the store commits (needs PostgreSQL)', () => {
  let place: TemporaryDatabase;
  let proxy: ConflictingProxy;
  let app: NestFastifyApplication;
  let client: Client;

  beforeAll(async () => {
    place = await migratedDatabase(schemasOf(program).all);
    proxy = await openConflictingProxy(new URL(place.url), 7);
    app = await startApi(proxy.url, { JWT_SECRET: 'k3Jv0pPz7Qm2rS9tU4wX1yA6bC8dE5fG' });
    client = await new Client(await app.getUrl()).signIn(administrator.email, administrator.password);
    proxy.cutAfter('COMMIT', 3);
  });
  afterAll(async () => {
    proxy.cutAfter('', 0);
    await app.close();
    await proxy.stop();
    await place.remove();
  });

  async function orders(): Promise<number> {
    const db = openDatabase(place.url);
    const rows = await db.selectFrom('order').select('id').execute();
    await db.destroy();
    return rows.length;
  }

  it('does what is repeated with its Idempotency-Key once', async () => {
    const before = await orders();
    const codes = new Set<string>();
    const make = async (key: string): Promise<void> => {
      const keyed = client.with({ 'idempotency-key': key, accept: 'application/problem+json' });
      for (;;) {
        const { status, json } = await keyed.post('/orders', order);
        if (status === 201) return;
        expect(status).toBe(503);
        codes.add(json.code);
      }
    };
    for (let at = 0; at < 20; at += 1) await make(`order ${at}`.replaceAll(' ', '-'));
    expect(await orders()).toBe(before + 20);
    expect(codes).toContain('unknown-outcome');
  });

  it('says without one that it may have been done, and only then', async () => {
    proxy.cutAfter('COMMIT', 3);
    const before = await orders();
    const results: string[] = [];
    for (let at = 0; at < 20; at += 1) {
      const problem = client.with({ accept: 'application/problem+json' });
      const { status, json } = await problem.post('/orders', order);
      results.push(status === 201 ? 'made' : json.code);
    }
    const {
      made: created = [],
      'unknown-outcome': unknown = [],
      ...others
    } = Object.groupBy(results, (result) => result);
    expect(Object.keys(others).filter((code) => code !== 'store-unavailable')).toEqual([]);
    expect(unknown).not.toEqual([]);
    // Here the connection is lost after the commit each time.
    expect(await orders()).toBe(before + created.length + unknown.length);
  });
});
