import createFetchClient from 'openapi-fetch';
import type { components, paths } from './api';
import { SessionError } from './errors';

/** Sends a request, like `fetch`. */
export type Send = (request: Request) => Promise<Response>;

type Tokens = components['schemas']['SessionTokens'];

/** The current tokens of a session. */
interface SessionState extends Tokens {
  /** When to refresh them, by the clock of `now`. */
  readonly refreshAt: number;
  /** The pending or completed refresh, shared by concurrent requests. */
  refreshed?: Promise<SessionState | undefined>;
}

/** An access token expires after 60 seconds; the rest is for slow requests. */
const refreshAfterMs = 45_000;

/** The session of a client. Tokens are kept in memory only. */
export class Session {
  readonly #api;
  #state: SessionState | undefined;

  /** @param now milliseconds of a monotonic clock */
  constructor(
    baseUrl: string,
    private readonly fetch: Send,
    private readonly now: () => number,
  ) {
    this.#api = createFetchClient<paths>({ baseUrl, fetch });
  }

  /** Whether the client has a session; `api` may have ended it meanwhile. */
  get isOpen(): boolean {
    return this.#state !== undefined;
  }

  /**
   * Opens a session; a previous one is left to expire.
   *
   * @throws SessionError if the sign-in fails
   */
  async signIn(username: string, password: string): Promise<void> {
    const startedAt = this.now();
    const { data, response } = await this.#api.POST('/auth/sessions', { body: { username, password } });
    if (data === undefined) throw new SessionError('sign in', response.status);
    this.#state = { ...data, refreshAt: startedAt + refreshAfterMs };
  }

  /**
   * Ends the session. The client is signed out from the call on, whatever the response.
   *
   * @throws SessionError if `api` does not confirm it: the session then lasts until it expires
   */
  async signOut(): Promise<void> {
    const state = this.#state;
    this.#state = undefined;
    if (state === undefined) return;
    const { response } = await this.#api.POST('/auth/logout', {
      fetch: (request) => this.#sendAs(state, request),
    });
    if (!response.ok && response.status !== 401) throw new SessionError('sign out', response.status);
  }

  /**
   * Sends a request with a fresh access token, and retries it once with a new one after a 401. A request with its own
   * `Authorization` is sent unchanged.
   */
  send(request: Request): Promise<Response> {
    const state = request.headers.has('authorization') ? undefined : this.#state;
    return state === undefined ? this.fetch(request) : this.#sendAs(state, request);
  }

  async #sendAs(state: SessionState, request: Request): Promise<Response> {
    const current = this.now() < state.refreshAt ? state : await this.#refresh(state);
    if (current === undefined) return this.fetch(request);
    // A body can be read once: the retry needs a copy.
    const retry = request.clone();
    const response = await this.fetch(withToken(request, current));
    const successor = response.status === 401 ? await this.#refresh(current) : undefined;
    if (successor === undefined || successor === current) return response;
    await response.body?.cancel();
    return this.fetch(withToken(retry, successor));
  }

  /** @returns the tokens to use: the same ones if the refresh failed, `undefined` if the session has ended */
  #refresh(state: SessionState): Promise<SessionState | undefined> {
    state.refreshed ??= this.#replace(state);
    return state.refreshed;
  }

  async #replace(state: SessionState): Promise<SessionState | undefined> {
    let successor: SessionState | undefined = state;
    try {
      successor = await this.#request(state);
      // Otherwise the client was signed in or out meanwhile.
      if (this.#state === state) this.#state = successor;
      return successor;
    } finally {
      if (successor === state) state.refreshed = undefined;
    }
  }

  async #request(state: SessionState): Promise<SessionState | undefined> {
    const startedAt = this.now();
    const body = { refresh_token: state.refresh_token };
    const { data, response } = await this.#api.POST('/auth/refresh', { body });
    if (data !== undefined) return { ...data, refreshAt: startedAt + refreshAfterMs };
    // Only a 401 ends the session; other failures are temporary.
    return response.status === 401 ? undefined : state;
  }
}

function withToken(request: Request, { access_token }: Tokens): Request {
  request.headers.set('authorization', `Bearer ${access_token}`);
  return request;
}
