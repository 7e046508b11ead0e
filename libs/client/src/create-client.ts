import createFetchClient, { type Client } from 'openapi-fetch';
import type { paths } from './api';
import { writeBody } from './form-body';
import { repeating, withIdempotencyKey } from './idempotency';
import { type ListItems, listItems } from './list-items';
import { acceptsProblems } from './problems';
import { bodyKinds } from './routes';
import { type Send, Session } from './session';
import { accessTokenStorage, type SessionStorage } from './session-storage';

/** The options for {@link createClient}. */
export interface ClientOptions {
  /** The base URL, such as `http://localhost:3000`. */
  readonly baseUrl: string;
  /** The `fetch` function. Default: the global `fetch`. */
  readonly fetch?: Send;
  /** Returns milliseconds from a monotonic clock; default `performance.now`. */
  readonly now?: () => number;
  /**
   * Keeps the session across reloads, and shares it between tabs; default: memory only. With `cookie`, scripts cannot read its
   * refresh token.
   */
  readonly storage?: SessionStorage | 'cookie';
}

/** A client of `api`, typed by method and path. */
export interface ApiClient extends Client<paths> {
  /** The session that authenticates the requests. */
  readonly session: Session;
  /** Yields every element of a list: `for await (const post of client.items('/posts')) …`. */
  readonly items: ListItems;
}

/**
 * Creates a client for `api`, unauthenticated until `session.signIn`.
 *
 * @returns a client; each call returns `data` or `error`, and the `response`, and throws if no response arrives
 */
export function createClient({ baseUrl, fetch = send, now = elapsed, storage }: ClientOptions): ApiClient {
  const usesCookie = storage === 'cookie';
  const kept = usesCookie ? accessTokenStorage() : storage;
  const session = new Session({ baseUrl, fetch, now, storage: kept, usesCookie });
  const client = createFetchClient<paths>({
    baseUrl,
    fetch: repeating((request) => session.send(request)),
    bodySerializer: writeBody,
    headers: { accept: acceptsProblems },
  });
  client.use(withIdempotencyKey);
  const items = listItems(baseUrl, (request) => session.send(request));
  return Object.assign(client, readingBodies(client), { session, items });
}

/** Returns client methods that read each response body as the route declares it; `parseAs` overrides it. */
function readingBodies(client: Client<paths>): object {
  const methods = new Set(Object.keys(bodyKinds).map((route) => route.split(' ', 1)[0] ?? route));
  const entries = [...methods].map((method) => {
    const call: unknown = Reflect.get(client, method);
    return [
      method,
      (path: string, options?: object) =>
        typeof call === 'function' && call(path, { parseAs: bodyKinds[`${method} ${path}`], ...options }),
    ];
  });
  return Object.fromEntries(entries);
}

function send(request: Request): Promise<Response> {
  return globalThis.fetch(request);
}

function elapsed(): number {
  return performance.now();
}
