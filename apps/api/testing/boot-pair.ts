import { temporaryDatabase } from '@app/persistence/testing';
import { createProgram, readSettings } from '@app/service';
import { administrator, Client } from '@app/service/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { apiSettings } from '../src/api.settings';
import { AppModule } from '../src/app.module';

/** Runs `api` twice on one database, for one file of tests. Ask by number which of the two to speak to. */
export function bootPair(env: Readonly<Record<string, string>> = {}): (which: 0 | 1) => Client {
  const running: NestFastifyApplication[] = [];
  const clients: Client[] = [];
  let remove = async (): Promise<void> => {};
  beforeAll(async () => {
    const database = await temporaryDatabase();
    remove = () => database.remove();
    const settings = readSettings(apiSettings, {
      DATABASE_URL: database.url,
      JWT_SECRET: 'a secret of tests, long enough to sign with',
      ADMIN_EMAIL: administrator.email,
      ADMIN_PASSWORD: administrator.password,
      LOG_LEVEL: 'silent',
      ...env,
    });
    while (running.length < 2) {
      const app = await createProgram({ name: 'api', module: AppModule.with(settings), settings });
      running.push(app);
      await app.listen(0, '127.0.0.1');
      clients.push(new Client(await app.getUrl()));
    }
  });
  afterAll(async () => {
    await Promise.all(running.map((app) => app.close()));
    await remove();
  });
  return (which) => clients[which] ?? missing();
}

function missing(): never {
  throw new TypeError('the programs run from beforeAll to afterAll, and not outside');
}
