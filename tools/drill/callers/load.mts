import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { clientFor } from './client-for.mts';

/** A refused request is not repeated at once: that would only measure the machine. */
const pauseMs = 20;

/** A request of a {@link Load}, and what became of it. */
export interface Exchange {
  readonly method: 'GET' | 'POST';
  /** Of `performance.now()`, when it was sent. */
  readonly sentAt: number;
  readonly ms: number;
  /** The status, or the code of the error. */
  readonly outcome: number | string;
}

/** What a {@link Load} sends. */
export interface LoadOptions {
  /** One of so many requests creates a post, the others list items; default 10, 0 for none. */
  readonly postEvery?: number;
  /** Distinguishes its posts from those of another load; default `drill`. */
  readonly name?: string;
}

/** Sends requests by a number of connections, which stay open, until it is told to stop. */
export class Load {
  readonly exchanges: Exchange[] = [];
  /** The slugs of the posts that were acknowledged. A post that is sent twice would be refused with 409. */
  readonly acknowledged: string[] = [];
  private readonly url: string;
  private readonly token: string;
  private readonly postEvery: number;
  private readonly name: string;
  private isStopping = false;
  private readonly agent;
  private readonly request;
  private sent = 0;

  /** @param token of a user who may create posts */
  constructor(url: string, token: string, { postEvery = 10, name = 'drill' }: LoadOptions = {}) {
    const { request, Agent, options } = clientFor(url);
    this.url = url;
    this.request = request;
    this.agent = new Agent({ ...options, keepAlive: true });
    this.token = token;
    this.postEvery = postEvery;
    this.name = name;
  }

  /** The requests that were not answered with 2xx. */
  get refused(): readonly Exchange[] {
    return this.exchanges.filter(({ outcome }) => !isSuccess(outcome));
  }

  /** @returns stops; resolves when every request is answered */
  start(connections: number): () => Promise<void> {
    const senders = Array.from({ length: connections }, () => this.send());
    return async () => {
      this.isStopping = true;
      await Promise.all(senders);
      this.agent.destroy();
    };
  }

  private async send(): Promise<void> {
    while (!this.isStopping) {
      const at = this.sent++;
      const outcome =
        at % this.postEvery === 0
          ? await this.post(`${this.name}-${at}`)
          : await this.exchange('GET', '/items?limit=10');
      if (!isSuccess(outcome)) await pause(pauseMs);
    }
  }

  private async post(slug: string): Promise<number | string> {
    const outcome = await this.exchange('POST', '/posts', { slug });
    if (outcome === 201) this.acknowledged.push(slug);
    return outcome;
  }

  private async exchange(method: Exchange['method'], path: string, body?: object): Promise<number | string> {
    const sentAt = performance.now();
    const outcome = await this.call(method, path, body);
    this.exchanges.push({ method, sentAt, ms: performance.now() - sentAt, outcome });
    return outcome;
  }

  private call(method: string, path: string, body?: object): Promise<number | string> {
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' };
    return new Promise((resolve) => {
      const outgoing = this.request(this.url + path, { method, agent: this.agent, headers });
      const fail = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message);
      outgoing.on('error', fail);
      outgoing.on('response', (response) => {
        json(response).then(() => resolve(response.statusCode ?? 0), fail);
      });
      outgoing.end(body && JSON.stringify(body));
    });
  }
}

/** Whether a request was answered as it should be without a fault. */
export function isSuccess(outcome: number | string): boolean {
  return outcome === 200 || outcome === 201;
}

/** How often each outcome occurred, as `503 ×12, ECONNRESET ×1`. */
export function tally(exchanges: readonly Exchange[]): string {
  const counts = Map.groupBy(exchanges, ({ outcome }) => outcome);
  return [...counts].map(([outcome, { length }]) => `${outcome} ×${length}`).join(', ') || 'none';
}

/** The duration that all but one in a hundred stay below, in milliseconds; 0 of none. */
export function p99(exchanges: readonly Pick<Exchange, 'ms'>[]): number {
  const sorted = exchanges.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return Math.round(sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0);
}
