import { AccessTokens } from '@app/auth';
import { temporaryDatabase, type TemporaryDatabase } from '@app/persistence/testing';
import { Client, newEmail } from '@app/service/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { startApi } from '../testing/start-api';
import { untilAllRefreshed, WorkingUser } from '../testing/working-user';

const password = 'correct horse battery staple';
const [oldSecret, newSecret] = ['k3Jv0pPz7Qm2rS9tU4wX1yA6bC8dE5fG', 'Zt7Lq0vXw2Nn8sKd4Hy6RbPc3Je9MfUa'];

/** All instances first accept the new key, then sign with it, then drop the old one. */
const stages = {
  old: { JWT_SECRET: oldSecret },
  known: { JWT_SECRET: oldSecret, JWT_SECRET_PREVIOUS: newSecret },
  turned: { JWT_SECRET: newSecret, JWT_SECRET_PREVIOUS: oldSecret },
  done: { JWT_SECRET: newSecret },
};

describe('the key of access tokens (P7, P17)', () => {
  let place: TemporaryDatabase;
  const running: NestFastifyApplication[] = [];
  const clients: Client[] = [];
  let turn = 0;
  const next = () => clients[(turn += 1) % clients.length];

  beforeAll(async () => {
    place = await temporaryDatabase();
    await replace(0, stages.old);
    await replace(1, stages.old);
  });
  afterAll(async () => {
    await Promise.all(running.map((app) => app.close()));
    await place.remove();
  });

  /** Replaces an instance, which stops after its last response. */
  async function replace(at: number, secrets: Record<string, string>, lastAnswers = async () => {}) {
    const before = running[at];
    running[at] = await startApi(place.url, secrets);
    clients[at] = new Client(await running[at].getUrl());
    await lastAnswers();
    await before?.close();
  }

  it('is rotated instance by instance without a failed request', { timeout: 120_000 }, async () => {
    const email = newEmail();
    const credentials = { username: email, password };
    await next().post('/users', { email, password });
    const { userId } = (await (await next().signIn(email, password)).get('/auth/profile')).json;
    const users = Array.from({ length: 4 }, () => new WorkingUser(next));
    for (const user of users) await user.open(credentials);
    const work = users.map((user) => user.work());

    const round = () => untilAllRefreshed(users);
    const ofOldKey = () =>
      new AccessTokens({ secret: oldSecret, ttlSeconds: 60 }).sign({ sub: userId, username: email });
    const answersToOldKey = () =>
      Promise.all(clients.map(async (client) => (await client.as(ofOldKey()).get('/auth/profile')).status));

    for (const stage of [stages.known, stages.turned])
      for (const at of [0, 1]) await replace(at, stage, round);
    expect(await answersToOldKey()).toEqual([200, 200]);
    for (const at of [0, 1]) await replace(at, stages.done, round);
    for (const user of users) user.stop();
    await Promise.all(work);

    expect(new Set(users.flatMap(({ statuses }) => statuses))).toEqual(new Set([200]));
    expect(await answersToOldKey()).toEqual([401, 401]);
  });
});
