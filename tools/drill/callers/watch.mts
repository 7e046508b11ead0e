import { setTimeout as pause } from 'node:timers/promises';
import { call, type Reply } from './callers.mts';

const everyMs = 200;

/** Reads an address repeatedly, each time on a new connection as load balancers do. */
export class Watch {
  readonly replies: Reply[] = [];
  private isStopping = false;
  private readonly watching: Promise<void>;

  constructor(url: string, token?: string) {
    this.watching = this.watch(url, token);
  }

  /** The number of reads that were not answered with 200. */
  get failed(): number {
    return this.replies.filter(({ status }) => status !== 200).length;
  }

  /** Waits until so many have ended. */
  async until(replies: number): Promise<void> {
    while (this.replies.length < replies) await pause(everyMs);
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await this.watching;
  }

  private async watch(url: string, token: string | undefined): Promise<void> {
    while (!this.isStopping) {
      this.replies.push(await call(url, { token }));
      await pause(everyMs);
    }
  }
}
