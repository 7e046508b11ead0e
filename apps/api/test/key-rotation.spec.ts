import { AccessTokens } from '@app/auth';
import { temporaryDatabase, type TemporaryDatabase } from '@app/persistence/testing';
import { Client, newEmail, type Reply } from '@app/service/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { startApi } from '../testing/start-api';

const password = 'correct horse battery staple';
const [oldSecret, newSecret] = ['k3Jv0pPz7Qm2rS9tU4wX1yA6bC8dE5fG', 'Zt7Lq0vXw2Nn8sKd4Hy6RbPc3Je9MfUa'];

/** All instances first accept the new key, then sign with it, then drop the old one. */
const stages = {
  old: { JWT_SECRET: oldSecret },
  known: { JWT_SECRET: oldSecret, JWT_SECRET_PREVIOUS: newSecret },
  turned: { JWT_SECRET: newSecret, JWT_SECRET_PREVIOUS: oldSecret },
  done: { JWT_SECRET: newSecret },
};

/** A user with a session, whose requests a load balancer sends to any instance. */
class User {
  /** Status of each response; 0 for a failed request. */
  readonly statuses: number[] = [];
  refreshes = 0;
  private isWorking = true;
  private access = '';
  private refresh = '';

  constructor(private readonly next: () => Client) {}

  async open(credentials: object): Promise<void> {
    this.take((await this.next().post('/auth/sessions', credentials)).json);
  }

  async work(): Promise<void> {
    while (this.isWorking) {
      for (let request = 0; request < 4; request += 1)
        await this.note(this.next().as(this.access).get('/auth/profile'));
      const reply = await this.note(this.next().post('/auth/refresh', { refresh_token: this.refresh }));
      if (reply?.status === 200) this.take(reply.json);
      this.refreshes += 1;
    }
  }

  stop(): void {
    this.isWorking = false;
  }

  private async note(asked: Promise<Reply>): Promise<Reply | undefined> {
    const reply = await asked.catch(() => undefined);
    this.statuses.push(reply?.status ?? 0);
    return reply;
  }

  private take(pair: { access_token: string; refresh_token: string }): void {
    [this.access, this.refresh] = [pair.access_token, pair.refresh_token];
  }
}

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
    const users = Array.from({ length: 4 }, () => new User(next));
    for (const user of users) await user.open(credentials);
    const work = users.map((user) => user.work());

    /** Until every user has used a token that was issued after now. */
    async function round(): Promise<void> {
      const goals = users.map(({ refreshes }) => refreshes + 2);
      const isDone = () => expect(users.every(({ refreshes }, at) => refreshes >= goals[at])).toBe(true);
      await vi.waitFor(isDone, { timeout: 60_000, interval: 5 });
    }
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
