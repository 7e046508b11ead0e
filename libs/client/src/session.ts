import createFetchClient from 'openapi-fetch';
import type { components, paths } from './api';
import { SessionError } from './errors';

/** Sends a request as it is. */
export type Send = (request: Request) => Promise<Response>;

type Tokens = components['schemas']['SessionTokens'];

/** The tokens of a session, until they are turned. */
interface Opened extends Tokens {
  /** When they should be turned, by the clock of `now`. */
  readonly turnAt: number;
  /** What they were turned into, or are about to be: whoever asks meanwhile waits for the same. */
  turned?: Promise<Opened | undefined>;
}

/** An access token lives 60 seconds; this leaves a slow request time to arrive. */
const turnAfterMs = 45_000;

/** Who speaks: nobody, until somebody signs in. The tokens live in memory alone. */
export class Session {
  readonly #api;
  #opened: Opened | undefined;

  /** @param now milliseconds on a clock that nobody sets */
  constructor(
    baseUrl: string,
    private readonly fetch: Send,
    private readonly now: () => number,
  ) {
    this.#api = createFetchClient<paths>({ baseUrl, fetch });
  }

  /** Whether somebody is signed in, as far as is known here: `api` may have ended the session meanwhile. */
  get isOpen(): boolean {
    return this.#opened !== undefined;
  }

  /**
   * Opens a session; one that was open here before is left to expire.
   *
   * @throws SessionError when it is not opened
   */
  async signIn(username: string, password: string): Promise<void> {
    const askedAt = this.now();
    const { data, response } = await this.#api.POST('/auth/sessions', { body: { username, password } });
    if (data === undefined) throw new SessionError('sign in', response.status);
    this.#opened = { ...data, turnAt: askedAt + turnAfterMs };
  }

  /**
   * Ends the session. From the call on nobody is signed in here, whatever `api` says.
   *
   * @throws SessionError when `api` does not say that the session is over: it then lasts until it expires
   */
  async signOut(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    if (opened === undefined) return;
    const { response } = await this.#api.POST('/auth/logout', {
      fetch: (request) => this.#sendAs(opened, request),
    });
    if (!response.ok && response.status !== 401) throw new SessionError('sign out', response.status);
  }

  /**
   * Sends a request as whoever is signed in: with a token that has time left, and once more, with a new token, if it is
   * refused with 401 all the same. A request that brings its own `Authorization` goes out as it is.
   */
  send(request: Request): Promise<Response> {
    const opened = request.headers.has('authorization') ? undefined : this.#opened;
    return opened === undefined ? this.fetch(request) : this.#sendAs(opened, request);
  }

  async #sendAs(opened: Opened, request: Request): Promise<Response> {
    const current = this.now() < opened.turnAt ? opened : await this.#turn(opened);
    if (current === undefined) return this.fetch(request);
    // A body can be sent once: the second attempt needs one of its own.
    const again = request.clone();
    const response = await this.fetch(withToken(request, current));
    const successor = response.status === 401 ? await this.#turn(current) : undefined;
    if (successor === undefined || successor === current) return response;
    await response.body?.cancel();
    return this.fetch(withToken(again, successor));
  }

  /** @returns what to go on with: the same tokens when none others are to be had now, `undefined` when the session is over */
  #turn(opened: Opened): Promise<Opened | undefined> {
    opened.turned ??= this.#exchange(opened);
    return opened.turned;
  }

  async #exchange(opened: Opened): Promise<Opened | undefined> {
    let successor: Opened | undefined = opened;
    try {
      successor = await this.#refresh(opened);
      // Otherwise somebody signed in or out meanwhile, and stays so.
      if (this.#opened === opened) this.#opened = successor;
      return successor;
    } finally {
      if (successor === opened) opened.turned = undefined;
    }
  }

  async #refresh(opened: Opened): Promise<Opened | undefined> {
    const askedAt = this.now();
    const body = { refresh_token: opened.refresh_token };
    const { data, response } = await this.#api.POST('/auth/refresh', { body });
    if (data !== undefined) return { ...data, turnAt: askedAt + turnAfterMs };
    // Only a refusal ends a session; a busy program does not.
    return response.status === 401 ? undefined : opened;
  }
}

function withToken(request: Request, { access_token }: Tokens): Request {
  request.headers.set('authorization', `Bearer ${access_token}`);
  return request;
}
