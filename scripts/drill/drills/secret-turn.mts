import { setTimeout as pause } from 'node:timers/promises';
import { administrator, call } from '../callers.mts';
import { type Drill, finding } from '../drill.mts';
import { freePort } from '../free-port.mts';
import { isSuccess } from '../load.mts';
import type { DrillProgram } from '../program.mts';

const users = 4;
const requestsPerToken = 5;
const pollMs = 20;
const [oldSecret, newSecret] = [
  'the secret of the drill before its turn',
  'the secret of the drill after its turn',
];

/** Every program knows the new secret before one signs with it, and the old one until nobody uses it. */
const stages: readonly Record<string, string>[] = [
  { JWT_SECRET: oldSecret, JWT_SECRET_PREVIOUS: newSecret },
  { JWT_SECRET: newSecret, JWT_SECRET_PREVIOUS: oldSecret },
  { JWT_SECRET: newSecret },
];

export const secretTurn: Drill = {
  name: 'secret-turn',
  does: 'replaces `JWT_SECRET` of two programs in three rounds of restarts, by `JWT_SECRET_PREVIOUS`, while users work and refresh their tokens',
  holds: 'no request is refused, and no session ends',
  stores: ['sqlite', 'postgres'],
  fires: [],
  run: async ({ start, either }) => {
    const ports = [await freePort(), await freePort()];
    const programs: DrillProgram[] = [];
    for (const port of ports) programs.push(await start({ port, env: { JWT_SECRET: oldSecret } }));
    const working = Array.from({ length: either(2 * users, users) }, () => new User(() => programs));
    // One after the other, as sign-ins that cannot be hashed soon are refused.
    for (const [at, user] of working.entries()) await user.open(`user-${at}@example.com`);
    const work = working.map((user) => user.work());
    const beforeTurn = await call(`${programs[0]?.url}/auth/login`, { body: administrator });
    const { access_token: oldToken } = beforeTurn.body;
    for (const env of stages) {
      for (const at of programs.keys()) {
        const before = programs[at];
        programs[at] = await start({ port: await freePort(), env });
        await Promise.all(working.map((user) => user.round()));
        await before?.stop();
      }
    }
    for (const user of working) user.stop();
    await Promise.all(work);
    const outcomes = working.flatMap(({ statuses }) => statuses);
    const old = await call(`${programs[0]?.url}/auth/profile`, { token: oldToken });
    return finding(
      {
        'programs replaced': stages.length * ports.length,
        requests: outcomes.length,
        refused: outcomes.filter((status) => !isSuccess(status)).length,
        refreshes: working.reduce((sum, user) => sum + user.refreshes, 0),
        'a token of the old secret': old.status,
      },
      {
        'no request is refused': outcomes.length > 0 && outcomes.every((status) => isSuccess(status)),
        'tokens of the old secret are refused at the end': old.status === 401,
      },
    );
  },
};

/** A user with a session, whose requests go to any of the programs. */
class User {
  readonly statuses: number[] = [];
  refreshes = 0;
  private isWorking = true;
  private sent = 0;
  private pair: Awaited<ReturnType<typeof call>>['body'] = {};
  private readonly programs: () => readonly DrillProgram[];

  constructor(programs: () => readonly DrillProgram[]) {
    this.programs = programs;
  }

  /** Each has an account of its own: refreshes of one account wait for each other. */
  async open(email: string): Promise<void> {
    const { password } = administrator;
    await this.note('/users', { body: { email, password } });
    this.pair = (await this.note('/auth/sessions', { body: { username: email, password } })).body;
  }

  async work(): Promise<void> {
    while (this.isWorking) {
      for (let request = 0; request < requestsPerToken; request++)
        await this.note('/auth/profile', { token: this.pair.access_token });
      const { status, body } = await this.note('/auth/refresh', {
        body: { refresh_token: this.pair.refresh_token },
      });
      if (status === 200) this.pair = body;
      this.refreshes += 1;
    }
  }

  /** Until it has only tokens that were issued after now. */
  async round(): Promise<void> {
    const goal = this.refreshes + 2;
    while (this.refreshes < goal && this.isWorking) await pause(pollMs);
  }

  stop(): void {
    this.isWorking = false;
  }

  private async note(path: string, options: Parameters<typeof call>[1]) {
    const reply = await this.send(path, options);
    this.statuses.push(reply.status);
    return reply;
  }

  private send(path: string, options: Parameters<typeof call>[1]) {
    const programs = this.programs();
    const program = programs[(this.sent += 1) % programs.length];
    return call(`${program?.url}${path}`, options);
  }
}
