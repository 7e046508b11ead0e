import { setTimeout as pause } from 'node:timers/promises';
import { temporaryDatabase, type TemporaryDatabase } from '@app/persistence/testing';
import { Client, newEmail } from '@app/service/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { startApi } from '../testing/start-api';

const password = 'correct horse battery staple';
const secrets = { JWT_SECRET: 'k3Jv0pPz7Qm2rS9tU4wX1yA6bC8dE5fG' };

describe('two instances on one database (P17)', () => {
  let place: TemporaryDatabase;
  const running: NestFastifyApplication[] = [];
  const clientOf = async (app: NestFastifyApplication) => new Client(await app.getUrl());
  async function start(): Promise<NestFastifyApplication> {
    const app = await startApi(place.url, secrets);
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

  /** How long one instance accepts a token that the other has revoked, in milliseconds. */
  async function msUntilRefused(client: Client): Promise<number> {
    const startedAt = performance.now();
    while ((await client.get('/auth/profile')).status !== 401) {
      if (performance.now() - startedAt > 5000) break;
      await pause(10);
    }
    return performance.now() - startedAt;
  }

  it('reject within a second what the other has revoked (D17)', async () => {
    const here = await clientOf(await start());
    const there = await clientOf(await start());
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
    const waits = [await msUntilRefused(there.as(first.access_token))];
    expect((await there.post('/auth/refresh', { refresh_token: first.refresh_token })).status).toBe(401);

    const login = await here.signIn(email, password);
    const path = headers.get('location') ?? '';
    expect((await login.patch(path, { email, password: 'another phrase' })).status).toBe(200);
    waits.push(await msUntilRefused(there.as(second.access_token)));
    // The machine may be busy during one of them.
    expect(Math.min(...waits)).toBeLessThan(1000);
    expect((await there.as(second.access_token).get('/auth/profile')).status).toBe(401);
  });

  it('create one account for concurrent sign-ups with one e-mail, in any case', async () => {
    const programs = [await clientOf(await start()), await clientOf(await start())];
    const email = newEmail();
    const signUp = async (index: number): Promise<number> => {
      const body = { email: index < 6 ? email : email.toUpperCase(), password };
      const { status } = await programs[index % 2].post('/users', body);
      // A slow machine may reject some of twelve concurrent hashes with 503.
      return status === 503 ? signUp(index) : status;
    };
    const statuses = await Promise.all(Array.from({ length: 12 }, (_, index) => signUp(index)));
    expect(statuses.toSorted((left, right) => left - right)).toEqual([
      201,
      ...Array.from({ length: 11 }, () => 409),
    ]);
  });

  it('return one successor to concurrent refreshes on both (D19)', async () => {
    const programs = [await clientOf(await start()), await clientOf(await start())];
    const email = newEmail();
    await programs[0].post('/users', { email, password });
    const { refresh_token } = (await programs[1].post('/auth/sessions', { username: email, password })).json;
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) => programs[index % 2].post('/auth/refresh', { refresh_token })),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ json }) => json.refresh_token)).size).toBe(1);
  });
});
