import { setTimeout as pause } from 'node:timers/promises';
import { createProgram, readSettings } from '@app/service';
import { temporaryDatabase, type TemporaryDatabase } from '@app/persistence/testing';
import { Client, newEmail } from '@app/service/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { apiSettings } from '../src/api.settings';
import { AppModule } from '../src/app.module';

const password = 'correct horse battery staple';
const [oldSecret, newSecret] = ['k3Jv0pPz7Qm2rS9tU4wX1yA6bC8dE5fG', 'Zt7Lq0vXw2Nn8sKd4Hy6RbPc3Je9MfUa'];

/** A whole program with handles, connections and a memory of its own. */
async function startProgram(url: string, secrets: Record<string, string>): Promise<NestFastifyApplication> {
  const env = { DATABASE_URL: url, LOG_LEVEL: 'silent', NODE_ENV: 'test', ...secrets };
  const settings = readSettings(apiSettings, {
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: 'an administrator of tests',
    ...env,
  });
  const app = await createProgram({ name: 'api', module: AppModule.with(settings), settings });
  await app.listen(0, '127.0.0.1');
  return app;
}

describe('two programs on one store (P17)', () => {
  let place: TemporaryDatabase;
  const running: NestFastifyApplication[] = [];
  const clientOf = async (app: NestFastifyApplication) => new Client(await app.getUrl());
  async function start(secrets: Record<string, string>): Promise<NestFastifyApplication> {
    const app = await startProgram(place.url, secrets);
    running.push(app);
    return app;
  }

  beforeEach(async () => {
    place = await temporaryDatabase();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((app) => app.close()));
    await place.remove();
  });

  /** How long one program lets a token in that another has ended; in milliseconds. */
  async function msUntilRefused(client: Client): Promise<number> {
    const startedAt = performance.now();
    while ((await client.get('/auth/profile')).status !== 401) {
      if (performance.now() - startedAt > 5000) break;
      await pause(10);
    }
    return performance.now() - startedAt;
  }

  it('refuse within a second what was ended in the other (D17)', async () => {
    const here = await clientOf(await start({ JWT_SECRET: oldSecret }));
    const there = await clientOf(await start({ JWT_SECRET: oldSecret }));
    const email = newEmail();
    const { headers } = await here.post('/users', { email, password });
    const credentials = { username: email, password };
    const [first, second] = [
      (await here.post('/auth/sessions', credentials)).json,
      (await here.post('/auth/sessions', credentials)).json,
    ];
    for (const { access_token } of [first, second])
      expect((await there.as(access_token).get('/auth/profile')).status).toBe(200);

    await here.as(first.access_token).post('/auth/logout');
    expect(await msUntilRefused(there.as(first.access_token))).toBeLessThan(1000);
    expect((await there.post('/auth/refresh', { refresh_token: first.refresh_token })).status).toBe(401);

    const login = await here.signIn(email, password);
    const path = headers.get('location') ?? '';
    expect((await login.patch(path, { email, password: 'another phrase' })).status).toBe(200);
    expect(await msUntilRefused(there.as(second.access_token))).toBeLessThan(1000);
  });

  it('give one successor to a token that is presented to both at once (D19)', async () => {
    const programs = [
      await clientOf(await start({ JWT_SECRET: oldSecret })),
      await clientOf(await start({ JWT_SECRET: oldSecret })),
    ];
    const email = newEmail();
    await programs[0].post('/users', { email, password });
    const { refresh_token } = (await programs[1].post('/auth/sessions', { username: email, password })).json;
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) => programs[index % 2].post('/auth/refresh', { refresh_token })),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ json }) => json.refresh_token)).size).toBe(1);
  });

  it('turn the key one after the other, and no caller notices', async () => {
    const stages = [
      { JWT_SECRET: oldSecret, JWT_SECRET_PREVIOUS: newSecret },
      { JWT_SECRET: newSecret, JWT_SECRET_PREVIOUS: oldSecret },
    ];
    const programs = [await start({ JWT_SECRET: oldSecret }), await start({ JWT_SECRET: oldSecret })];
    const email = newEmail();
    await (await clientOf(programs[0])).post('/users', { email, password });
    let pair = (await (await clientOf(programs[0])).post('/auth/sessions', { username: email, password }))
      .json;
    for (const stage of stages) {
      for (const index of [0, 1]) {
        programs[index] = await start(stage);
        for (const program of programs) {
          const client = await clientOf(program);
          pair = (await client.post('/auth/refresh', { refresh_token: pair.refresh_token })).json;
          for (const each of programs)
            expect((await (await clientOf(each)).as(pair.access_token).get('/auth/profile')).status).toBe(
              200,
            );
        }
      }
    }
  });
});
