import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { LeakWatch } from './leaks.mts';

/** A request of the attack. */
export interface Attempt {
  readonly method: string;
  /** With its query string. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** As it is sent; {@link jsonAttempt} writes one. */
  readonly body?: string | Buffer;
  /** The address to send from; only on the loopback of Linux. Default: the honest caller's. */
  readonly from?: string;
}

/** What came back. */
export interface Answer {
  /** 0 if the connection ended without a response. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body, or the error's code for a status of 0. */
  readonly text: string;
  readonly milliseconds: number;
}

const timeoutMs = 30_000;

/** Sends requests to one service, and searches every response for leaks. */
export class Wire {
  /** Every request since the start. */
  sent = 0;
  readonly url: URL;
  readonly watch: LeakWatch;
  private readonly agents = new Map<string, Agent>();

  constructor(url: URL, watch = new LeakWatch()) {
    this.url = url;
    this.watch = watch;
  }

  /** Sends a request; never rejects. */
  send(attempt: Attempt): Promise<Answer> {
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

/** A request with a JSON body. */
export function jsonAttempt(
  method: string,
  path: string,
  body: unknown,
  headers: Attempt['headers'] = {},
): Attempt {
  if (body === undefined) return { method, path, headers };
  return {
    method,
    path,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

/** Longer than any token. */
const shownLength = 600;

/** Writes a request as a command that sends it again. */
export function curlOf({ method, path, headers = {}, body, from }: Attempt, base: URL): string {
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one) => ` -H ${quoted(`${name}: ${one}`)}`),
  );
  const data = body === undefined ? '' : ` -d ${quoted(body.toString())}`;
  const address = from === undefined ? '' : ` --interface ${from}`;
  return `curl -sS -X ${method}${address} ${quoted(base.origin + path)}${fields.join('')}${data}`;
}

/** As one word of a shell; a long one is shortened. */
function quoted(text: string): string {
  const shown =
    text.length > shownLength ? `${text.slice(0, shownLength)}… (${text.length} characters)` : text;
  return `'${shown.replaceAll("'", String.raw`'\''`)}'`;
}

function copied(headers: Attempt['headers'] = {}): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  );
}
