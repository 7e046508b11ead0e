import { accountsSchema } from '@app/accounts';
import { type Database, migrate, openDatabase } from '@app/persistence';
import { nextReleaseOf, temporaryDatabase, type TemporaryDatabase } from '@app/persistence/testing';
import { administrator, Client } from '@app/service/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { startApi } from '../testing/start-api';
import { tellApiStories } from './stories';

const secrets = { JWT_SECRET: 'k3Jv0pPz7Qm2rS9tU4wX1yA6bC8dE5fG', MAX_DELAY: 'off' };

/** D33: the deployment of the next release has migrated the database, which allows this one. */
describe('a database that the next release has migrated', () => {
  let place: TemporaryDatabase;
  let next: Database;
  const running: NestFastifyApplication[] = [];
  const clients: Client[] = [];
  async function start(): Promise<void> {
    const app = await startApi(place.url, secrets);
    running.push(app);
    clients.push(new Client(await app.getUrl()));
  }

  beforeAll(async () => {
    place = await temporaryDatabase();
    await start();
    const admin = await clients[0].signIn(administrator.email, administrator.password);
    await admin.get('/items');
    next = openDatabase(place.url);
    await migrate(next, [nextReleaseOf(accountsSchema, 'account')]);
    await start();
  });
  afterAll(async () => {
    await Promise.all([...running.map((app) => app.close()), next.destroy()]);
    await place.remove();
  });

  describe('is used by a program of this release that was running', () => {
    tellApiStories(() => clients[0]);
  });

  describe('is used by a program of this release that starts afterwards', () => {
    tellApiStories(() => clients[1]);
  });
});
