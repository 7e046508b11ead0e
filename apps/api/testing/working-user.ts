import type { Client, Reply } from '@app/service/testing';

/** A signed-in user. A load balancer sends each request of this user to any instance. */
export class WorkingUser {
  /** The status of each response, or 0 for a failed request. */
  readonly statuses: number[] = [];
  refreshes = 0;
  private isWorking = true;
  private access = '';
  private refresh = '';

  constructor(private readonly next: () => Client) {}

  /** Signs in with a session. */
  async open(credentials: object): Promise<void> {
    this.take((await this.next().post('/auth/sessions', credentials)).json);
  }

  /** Sends requests until it is stopped, and refreshes the session after every fourth request. */
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

/** Waits until every user has used a token that was issued after the call. */
export async function untilAllRefreshed(users: readonly WorkingUser[]): Promise<void> {
  const goals = users.map(({ refreshes }) => refreshes + 2);
  const isDone = () => expect(users.every(({ refreshes }, at) => refreshes >= goals[at])).toBe(true);
  await vi.waitFor(isDone, { timeout: 60_000, interval: 5 });
}
