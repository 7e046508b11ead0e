import createFetchClient, { type Client } from 'openapi-fetch';
import type { paths } from './api';
import { type Send, Session } from './session';

/** What a client needs to know. */
export interface ClientOptions {
  /** Where `api` answers: `http://localhost:3000`. */
  readonly baseUrl: string;
  /** Sends the requests; the platform's own, unless given. */
  readonly fetch?: Send;
  /** Milliseconds on a clock that nobody sets; the platform's own, unless given. */
  readonly now?: () => number;
}

/** Speaks to `api`: by method and path, with what each of them takes and answers as types. */
export interface ApiClient extends Client<paths> {
  /** Who speaks. */
  readonly session: Session;
}

/**
 * Makes a client of `api`, which speaks as nobody until `session.signIn`.
 *
 * @returns a client whose calls give `data` or `error`, and the `response`; they throw when nothing answers
 */
export function createClient({ baseUrl, fetch = send, now = elapsed }: ClientOptions): ApiClient {
  const session = new Session(baseUrl, fetch, now);
  const client = createFetchClient<paths>({ baseUrl, fetch: (request) => session.send(request) });
  return Object.assign(client, { session });
}

function send(request: Request): Promise<Response> {
  return globalThis.fetch(request);
}

function elapsed(): number {
  return performance.now();
}
