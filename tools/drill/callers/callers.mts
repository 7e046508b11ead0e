import type { ClientRequest, IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { isSuccess } from './load.mts';
import { clientFor } from './client-for.mts';
import type { Subject } from './contract.mts';

/** The first administrator of every drill program. */
export const administrator = { username: 'drill@example.com', password: 'correct horse battery staple' };

const pollMs = 50;
const timeoutMs = 30_000;
const readersAtOnce = 16;

/** A response with its body; the status is 0 if the response does not arrive within 30 s. */
export interface Reply {
  readonly status: number;
  readonly body: Partial<ReplyBody>;
  readonly headers: IncomingHttpHeaders;
  /** The value of `performance.now()` when the request was sent. */
  readonly sentAt: number;
  readonly ms: number;
}

/** The body members that drills read. */
interface ReplyBody {
  readonly access_token: string;
  readonly refresh_token: string;
  /** The readiness checks. */
  readonly checks: { readonly store: string; readonly writes: boolean };
  /** The data in a Prometheus response. */
  readonly data: {
    readonly alerts?: readonly { readonly labels: { readonly alertname: string } }[];
    readonly result?: readonly object[];
  };
}

/** Sends a request on a connection of its own, so that an earlier fault does not reach it; a POST, if it has a body. */
export async function call(
  url: string,
  { token, body }: { readonly token?: string; readonly body?: object } = {},
): Promise<Reply> {
  const sentAt = performance.now();
  const headers = {
    ...(body && { 'content-type': 'application/json' }),
    ...(token && { authorization: `Bearer ${token}` }),
  };
  const method = body ? 'POST' : 'GET';
  const { request, options } = clientFor(url);
  const outgoing = request(url, { ...options, method, headers, agent: false, timeout: timeoutMs });
  outgoing.once('timeout', () => outgoing.destroy(new Error('no response')));
  outgoing.end(body && JSON.stringify(body));
  const { content, ...answer } = await answerTo(outgoing).catch(() => ({
    status: 0,
    headers: {},
    content: '',
  }));
  return { ...answer, body: bodyOf(content), sentAt, ms: performance.now() - sentAt };
}

/** Parses a body; empty if the text is not JSON, such as the text that Prometheus sends while it starts. */
function bodyOf(content: string): Partial<ReplyBody> {
  try {
    return JSON.parse(content);
  } catch {
    return {};
  }
}

function answerTo(outgoing: ClientRequest): Promise<Pick<Reply, 'status' | 'headers'> & { content: string }> {
  return new Promise((resolve, reject) => {
    outgoing.once('error', reject);
    outgoing.once('response', (response) => {
      const { statusCode: status = 0, headers } = response;
      text(response).then((content) => resolve({ status, headers, content }), reject);
    });
  });
}

/** Returns a user's access token, by default the administrator. @throws Error with the response, if it is refused */
export async function signIn(url: string, credentials: object = administrator): Promise<string> {
  const { status, body } = await call(`${url}/auth/login`, { body: credentials });
  const { access_token: token } = body;
  if (token === undefined) throw new Error(`the sign-in was refused with ${status}: ${JSON.stringify(body)}`);
  return token;
}

/** Waits until a request is answered with 2xx. Returns the time in milliseconds; `Infinity` at the deadline. */
export async function untilAnswered(send: () => Promise<Reply>, deadlineMs = 60_000): Promise<number> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < deadlineMs) {
    if (isSuccess((await send()).status)) return Math.round(performance.now() - startedAt);
    await pause(pollMs);
  }
  return Number.POSITIVE_INFINITY;
}

/** Creates a new item of the subject on a separate connection. */
export function create(url: string, token: string, subject: Subject): Promise<Reply> {
  const { path, body } = subject.create();
  return call(url + path, { token, body });
}

/** Returns the paths that cannot be read. */
export async function missing(
  url: string,
  token: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  const waiting = paths.values();
  const lost: string[] = [];
  const readers = Array.from({ length: readersAtOnce }, async () => {
    for (const path of waiting) if ((await call(url + path, { token })).status !== 200) lost.push(path);
  });
  await Promise.all(readers);
  return lost;
}
