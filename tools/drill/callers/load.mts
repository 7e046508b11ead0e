import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from '../../attack/wire/exchange.mts';
import { clientFor } from './client-for.mts';
import type { Subject } from './contract.mts';

/** A refused request is not repeated at once: that would only measure the machine. */
const pauseMs = 20;

/** A request that a {@link Load} sent, and its outcome. */
export interface Exchange {
  readonly method: 'GET' | 'POST';
  /** The value of `performance.now()` when the request was sent. */
  readonly sentAt: number;
  readonly ms: number;
  /** The status, or the code of the error. */
  readonly outcome: number | string;
}

/** The options for a {@link Load}. */
export interface LoadOptions {
  /** The number of requests for each request that creates something. The rest list. Default 10, 0 for lists only. */
  readonly postEvery?: number;
}

/** Sends requests by a number of connections, which stay open, until it is told to stop. */
export class Load {
  readonly exchanges: Exchange[] = [];
  /** The paths of acknowledged items. If the resource has something unique, a request that is sent twice is refused with 409. */
  readonly acknowledged: string[] = [];
  private readonly url: string;
  private readonly token: string;
  private readonly postEvery: number;
  private readonly subject: Subject;
  private isStopping = false;
  private readonly agent;
  private readonly request;
  private sent = 0;

  /** Prepares a load. @param token the administrator's token */
  constructor(url: string, token: string, subject: Subject, { postEvery = 10 }: LoadOptions = {}) {
    const { request, Agent, options } = clientFor(url);
    this.url = url;
    this.request = request;
    this.agent = new Agent({ ...options, keepAlive: true });
    this.token = token;
    this.postEvery = postEvery;
    this.subject = subject;
  }

  /** The requests that were not answered with 2xx. */
  get refused(): readonly Exchange[] {
    return this.exchanges.filter(({ outcome }) => !isSuccess(outcome));
  }

  /** Starts the load. Returns a function that stops it and resolves when every request is answered. */
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
          ? await this.create()
          : (await this.exchange('GET', this.subject.list)).outcome;
      if (!isSuccess(outcome)) await pause(pauseMs);
    }
  }

  private async create(): Promise<number | string> {
    const { path, body } = this.subject.create();
    const { outcome, answer } = await this.exchange('POST', path, body);
    const created = answer && isSuccess(outcome) ? this.subject.pathOf(answer) : undefined;
    if (created !== undefined) this.acknowledged.push(created);
    return outcome;
  }

  private async exchange(method: Exchange['method'], path: string, body?: object): Promise<Outcome> {
    const sentAt = performance.now();
    const outcome = await this.call(method, path, body);
    this.exchanges.push({ method, sentAt, ms: performance.now() - sentAt, outcome: outcome.outcome });
    return outcome;
  }

  private call(method: string, path: string, body?: object): Promise<Outcome> {
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' };
    return new Promise((resolve) => {
      const outgoing = this.request(this.url + path, { method, agent: this.agent, headers });
      const fail = ({ code, message }: NodeJS.ErrnoException) => resolve({ outcome: code ?? message });
      outgoing.on('error', fail);
      outgoing.on('response', (response) => {
        const { statusCode: outcome = 0, headers: sent } = response;
        text(response).then(
          (content) => resolve({ outcome, answer: { headers: sent, text: content } }),
          fail,
        );
      });
      outgoing.end(body && JSON.stringify(body));
    });
  }
}

/** A request's outcome: the status or error code, and the response. */
interface Outcome {
  readonly outcome: Exchange['outcome'];
  readonly answer?: Pick<Answer, 'headers' | 'text'>;
}

/** Whether a request was answered as it should be without a fault. */
export function isSuccess(outcome: number | string): boolean {
  return outcome === 200 || outcome === 201;
}

/** Returns the count of each outcome, such as `503 ×12, ECONNRESET ×1`. */
export function tally(exchanges: readonly Exchange[]): string {
  const counts = Map.groupBy(exchanges, ({ outcome }) => outcome);
  return [...counts].map(([outcome, { length }]) => `${outcome} ×${length}`).join(', ') || 'none';
}

/** Returns the duration in milliseconds that 99 % of requests stay below; 0 for an empty list. */
export function p99(exchanges: readonly Pick<Exchange, 'ms'>[]): number {
  const sorted = exchanges.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return Math.round(sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0);
}
