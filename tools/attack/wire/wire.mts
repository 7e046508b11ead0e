import { Agent, request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Attempt } from './exchange.mts';
import { LeakDetector } from './leaks.mts';

const timeoutMs = 30_000;
/** The number of times that a busy service is asked again. */
const maxRepetitions = 20;
/** The longest wait before a request is repeated. */
const maxPauseMs = 1000;

/** Sends requests to a single service and searches every response for leaks. */
export class Wire {
  /** The number of requests since the start. */
  sent = 0;
  readonly url: URL;
  readonly watch: LeakDetector;
  private readonly agents = new Map<string, Agent>();

  constructor(url: URL, watch = new LeakDetector()) {
    this.url = url;
    this.watch = watch;
  }

  /**
   * Sends a request, and repeats it while the service is busy, as `Retry-After` asks. Never rejects. The time in the answer is that
   * of the last repetition.
   */
  async send(attempt: Attempt): Promise<Answer> {
    for (let repetitions = 0; ; repetitions += 1) {
      const answer = await this.sendOnce(attempt);
      const seconds = Number(answer.headers['retry-after']);
      if (answer.status !== 503 || !(seconds >= 0) || repetitions === maxRepetitions) return answer;
      await pause(Math.min(seconds * 1000, maxPauseMs));
    }
  }

  /** Sends a request, for a check that measures how busy the service is; never rejects. */
  sendOnce(attempt: Attempt): Promise<Answer> {
    this.sent += 1;
    const begun = performance.now();
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const failed = ({ code = 'failed' }: NodeJS.ErrnoException) =>
      resolve({ status: 0, headers: {}, text: code, milliseconds: performance.now() - begun });
    const send = this.url.protocol === 'https:' ? secureRequest : request;
    const { method, path, headers, body, from } = attempt;
    const sent = send(
      {
        host: this.url.hostname,
        port: this.url.port,
        method,
        path: this.at(path),
        headers: copied(headers),
        localAddress: from,
        agent: this.agentOf(from),
        timeout: timeoutMs,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('error', failed).on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const answer = {
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
            milliseconds: performance.now() - begun,
          };
          this.watch.look(attempt, answer);
          resolve(answer);
        });
      },
    );
    sent
      .on('error', failed)
      .on('timeout', () => sent.destroy(Object.assign(new Error('timeout'), { code: 'TIMEOUT' })));
    sent.end(body);
    return promise;
  }

  /** The path as it stands in the request line. */
  at(path: string): string {
    return `${this.url.pathname.replace(/\/$/, '')}${path}`;
  }

  close(): void {
    for (const agent of this.agents.values()) agent.destroy();
  }

  private agentOf(from = ''): Agent | undefined {
    if (this.url.protocol === 'https:') return undefined;
    const agent = this.agents.get(from) ?? new Agent({ keepAlive: true, maxSockets: 256 });
    this.agents.set(from, agent);
    return agent;
  }
}

function copied(headers: Attempt['headers'] = {}): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  );
}
