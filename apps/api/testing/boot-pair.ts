import { temporaryDatabase } from '@app/persistence/testing';
import { Client } from '@app/service/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { startApi } from './start-api';

/** Two running instances. A call with an index returns a client for that instance. */
export interface BootedPair {
  (which: 0 | 1): Client;
  /** Returns an instance's application. */
  app(which: 0 | 1): NestFastifyApplication;
}

/** Starts two `api` instances on the same database for a test file. */
export function bootPair(env: Readonly<Record<string, string>> = {}): BootedPair {
  const running: NestFastifyApplication[] = [];
  const clients: Client[] = [];
  let remove = async (): Promise<void> => {};
  beforeAll(async () => {
    const database = await temporaryDatabase();
    remove = () => database.remove();
    while (running.length < 2) {
      const app = await startApi(database.url, {
        JWT_SECRET: 'a secret of tests, long enough to sign with',
        ...env,
      });
      running.push(app);
      clients.push(new Client(await app.getUrl()));
    }
  });
  afterAll(async () => {
    await Promise.all(running.map((app) => app.close()));
    await remove();
  });
  return Object.assign((which: 0 | 1) => clients[which] ?? missing(), {
    app: (which: 0 | 1) => running[which] ?? missing(),
  });
}

function missing(): never {
  throw new TypeError('the instances run from beforeAll to afterAll only');
}
