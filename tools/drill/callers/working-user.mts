import { setTimeout as pause } from 'node:timers/promises';
import { administrator, call } from './callers.mts';
import type { DrillProgram } from '../programs/program.mts';

const requestsPerToken = 5;
const pollMs = 20;

/** A user with a session, who sends requests to any program. */
export class WorkingUser {
  readonly statuses: number[] = [];
  refreshes = 0;
  private isWorking = true;
  private sent = 0;
  private pair: Awaited<ReturnType<typeof call>>['body'] = {};
  private readonly programs: () => readonly DrillProgram[];

  private readonly newUser: () => object;

  /** Prepares a user. @param newUser makes a sign-up body */
  constructor(programs: () => readonly DrillProgram[], newUser: () => object) {
    this.newUser = newUser;
    this.programs = programs;
  }

  /** Opens a separate account for each user, because refreshes in the same account wait for each other. */
  async open(email: string): Promise<void> {
    const { password } = administrator;
    await this.note('/users', { body: { ...this.newUser(), email, password } });
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

  /** Waits until the user has only tokens that were issued after the call. */
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
