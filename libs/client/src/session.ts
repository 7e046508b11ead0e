import createFetchClient from 'openapi-fetch';
import type { components, paths } from './api';
import { type SessionAttempt, SessionError } from './errors';
import { createPasskey, getPasskey } from './passkeys';
import { acceptsProblems, type Problem, problemIn } from './problems';
import {
  exclusively,
  readSession,
  sessionIdOf,
  type SessionStorage,
  type StoredSession,
} from './session-storage';

/** Sends a request, like `fetch`. */
export type Send = (request: Request) => Promise<Response>;

type Tokens = components['schemas']['SessionTokens'];

/** A sign-in that requires a second factor. */
export interface PendingSignIn {
  /** The accepted factor kinds, such as `totp`, any of which is sufficient. */
  readonly factors: readonly string[];
  readonly token: string;
}

/** A factor with its proof. */
export type GivenFactor = Omit<components['schemas']['CompleteSignIn'], 'mfa_token'>;

/** The time when a request was sent, by the system clock and by `now`. */
interface OpenedAt {
  readonly refreshedAt: number;
  readonly startedAt: number;
}

/** A session's current tokens. */
interface SessionState extends Tokens {
  /** The time to refresh them, by the clock of `now`. */
  readonly refreshAt: number;
  /** The pending or completed refresh, shared by concurrent requests. */
  refreshed?: Promise<SessionState | undefined>;
}

/**
 * The time before its expiry at which an access token is refreshed, for slow requests; a quarter of its lifetime if that is
 * shorter.
 */
const leadMs = 15_000;

/** The number of times that a tab looks for tokens from a different tab, and the interval. */
const copies = 20;
const copyMs = 10;

/** The age at which an access token is refreshed, in milliseconds. */
function refreshAgeOf({ expires_in }: Pick<Tokens, 'expires_in'>): number {
  const lifetimeMs = expires_in * 1000;
  return lifetimeMs - Math.min(leadMs, lifetimeMs / 4);
}

/** The parts from which a {@link Session} is made. */
export interface SessionParts {
  readonly baseUrl: string;
  readonly fetch: Send;
  /** Returns milliseconds from a monotonic clock. */
  readonly now: () => number;
  /** The session storage. Default: tokens are kept in memory only. */
  readonly storage?: SessionStorage | undefined;
  /** Whether a cookie carries the refresh token. */
  readonly usesCookie?: boolean;
}

/** A client's session. */
export class Session {
  readonly #api;
  readonly #fetch: Send;
  readonly #now: () => number;
  readonly #storage: SessionStorage | undefined;
  /** The body member of each request that opens a session. */
  readonly #transport: { readonly transport?: 'cookie' };
  #state: SessionState | undefined;

  /** Continues a stored session. */
  constructor({ baseUrl, fetch, now, storage, usesCookie = false }: SessionParts) {
    const headers = { accept: acceptsProblems };
    const credentials = usesCookie ? 'include' : 'same-origin';
    this.#api = createFetchClient<paths>({ baseUrl, fetch, headers, credentials });
    this.#transport = usesCookie ? { transport: 'cookie' } : {};
    this.#fetch = fetch;
    this.#now = now;
    this.#storage = storage;
    const stored = readSession(storage);
    this.#state = stored && this.#stateOf(stored);
  }

  /** Whether the client has a session; `api` may have ended it meanwhile. */
  get isOpen(): boolean {
    return this.#state !== undefined;
  }

  /**
   * Continues the session in the browser's cookie, such as on a second origin, or after the browser has cleared the storage.
   *
   * @returns whether there is a session
   */
  async resume(): Promise<boolean> {
    if (this.#state === undefined && this.#transport.transport === 'cookie') {
      const at = { refreshedAt: Date.now(), startedAt: this.#now() };
      const { data } = await this.#api.POST('/auth/refresh', { body: {} });
      if (data !== undefined) this.#open(data, at);
    }
    return this.isOpen;
  }

  /**
   * Opens a session; a previous session is left to expire.
   *
   * @returns the argument for {@link complete} if the account requires a second factor; the session is not open then
   * @throws SessionError if the sign-in fails
   */
  async signIn(username: string, password: string): Promise<PendingSignIn | undefined> {
    const at = { refreshedAt: Date.now(), startedAt: this.#now() };
    const reply = await this.#api.POST('/auth/sessions', {
      body: { username, password, ...this.#transport },
    });
    return this.#openOrPend(dataOf(reply, 'sign in'), at);
  }

  /**
   * Opens a session with a passkey, for which the browser asks the user. The user name is not needed.
   *
   * @throws SessionError if the sign-in fails
   * @throws DOMException if the user declines
   */
  async signInWithPasskey(): Promise<PendingSignIn | undefined> {
    const credential = await getPasskey(await this.#passkeyOptions());
    const at = { refreshedAt: Date.now(), startedAt: this.#now() };
    const reply = await this.#api.POST('/auth/passkeys/complete', {
      body: { credential, ...this.#transport },
    });
    return this.#openOrPend(dataOf(reply, 'sign in'), at);
  }

  /** Opens a session with a passkey as second factor, like {@link complete}. */
  async completeWithPasskey(pending: PendingSignIn): Promise<void> {
    const credential = await getPasskey(await this.#passkeyOptions(pending.token));
    return this.complete(pending, { factor: 'passkey', credential });
  }

  /**
   * Enrols a passkey for the signed-in user, whom the browser asks for it.
   *
   * @param name the name in the list of factors
   * @returns the recovery codes, to be shown to the user; empty if the account had recovery codes
   * @throws SessionError if it is not accepted, such as long after the sign-in
   * @throws DOMException if the user declines
   */
  async addPasskey(
    name?: string,
  ): Promise<{ readonly id: string; readonly recoveryCodes: readonly string[] }> {
    const fetch = (request: Request) => this.send(request);
    const begun = await this.#api.POST('/auth/factors/passkeys', { fetch });
    const credential = await createPasskey(dataOf(begun, 'add a passkey').options);
    const reply = await this.#api.POST('/auth/factors/passkeys/confirm', {
      fetch,
      body: { credential, name },
    });
    return dataOf(reply, 'add a passkey');
  }

  async #passkeyOptions(mfa_token?: string) {
    return dataOf(await this.#api.POST('/auth/passkeys', { body: { mfa_token } }), 'sign in').options;
  }

  /**
   * Requests a code by mail, if `api` sends codes.
   *
   * @returns the nonce for {@link signInByCode}, valid for this client only
   * @throws SessionError if there are too many requests
   */
  async requestCode(username: string): Promise<string> {
    return dataOf(await this.#api.POST('/auth/email-codes', { body: { username } }), 'sign in').nonce;
  }

  /**
   * Opens a session with a mailed code, like {@link signIn} with a password.
   *
   * @throws SessionError if the sign-in fails
   */
  async signInByCode(nonce: string, code: string): Promise<PendingSignIn | undefined> {
    const at = { refreshedAt: Date.now(), startedAt: this.#now() };
    const reply = await this.#api.POST('/auth/email-codes/complete', {
      body: { nonce, code, ...this.#transport },
    });
    return this.#openOrPend(dataOf(reply, 'sign in'), at);
  }

  /**
   * Begins a sign-in through an identity provider.
   *
   * @param provider its name
   * @param prompt   `login`: the provider verifies the user again, after a 403 `reauthentication-required`
   * @returns the URL to send the user to, and the `request` to keep until the user is back, such as in `sessionStorage`
   * @throws SessionError if there is no such provider, or it is unavailable
   */
  async authorize(
    provider: string,
    prompt?: 'login',
  ): Promise<components['schemas']['ProviderAuthorization']> {
    const params = { path: { provider }, ...(prompt !== undefined && { query: { prompt } }) };
    return dataOf(await this.#api.POST('/auth/providers/{provider}/authorize', { params }), 'sign in');
  }

  /**
   * Opens a session when the user is back, like {@link signIn}.
   *
   * @param request the request from {@link authorize}
   * @param url the URL to which the provider sent the user, with its parameters
   * @throws SessionError if the sign-in fails
   */
  async signInThrough(
    provider: string,
    request: string,
    url: string | URL,
  ): Promise<PendingSignIn | undefined> {
    const at = { refreshedAt: Date.now(), startedAt: this.#now() };
    const { code = '', state = '', iss } = Object.fromEntries(new URL(url).searchParams);
    const reply = await this.#api.POST('/auth/providers/{provider}/complete', {
      params: { path: { provider } },
      body: { request, code, state, ...(iss !== undefined && { iss }), ...this.#transport },
    });
    return this.#openOrPend(dataOf(reply, 'sign in'), at);
  }

  /**
   * Opens a session with a second factor.
   *
   * @param pending the result from {@link signIn}, within five minutes
   * @param factor an accepted factor kind and its proof, such as `{ factor: 'totp', code: '042042' }`
   * @throws SessionError if the sign-in fails; a wrong factor can be repeated
   */
  async complete(pending: PendingSignIn, factor: GivenFactor): Promise<void> {
    const at = { refreshedAt: Date.now(), startedAt: this.#now() };
    const body = { ...factor, mfa_token: pending.token, ...this.#transport };
    this.#open(dataOf(await this.#api.POST('/auth/sessions/complete', { body }), 'sign in'), at);
  }

  #openOrPend(data: Tokens | components['schemas']['MfaRequired'], at: OpenedAt): PendingSignIn | undefined {
    if ('mfa_token' in data) return { factors: data.factors, token: data.mfa_token };
    return this.#open(data, at);
  }

  #open(tokens: Tokens, { refreshedAt, startedAt }: OpenedAt): undefined {
    this.#state = { ...tokens, refreshAt: startedAt + refreshAgeOf(tokens) };
    this.#storage?.write(JSON.stringify({ ...tokens, refreshedAt }));
  }

  /**
   * Ends the session. The client is signed out immediately, regardless of the response.
   *
   * @throws SessionError if `api` does not confirm it: the session then lasts until it expires
   */
  async signOut(): Promise<void> {
    const state = this.#state;
    this.#state = undefined;
    if (state === undefined) return;
    this.#forget(state);
    const { error, response } = await this.#api.POST('/auth/logout', {
      fetch: (request) => this.#sendAs(state, request),
    });
    if (!response.ok && response.status !== 401)
      throw new SessionError('sign out', response.status, error && problemIn(response, error));
  }

  /**
   * Sends a request with a fresh access token, and retries it once with a new token after a 401. A request with its own
   * `Authorization` is sent unchanged.
   */
  send(request: Request): Promise<Response> {
    const state = request.headers.has('authorization') ? undefined : this.#state;
    return state === undefined ? this.#fetch(request) : this.#sendAs(state, request);
  }

  async #sendAs(state: SessionState, request: Request): Promise<Response> {
    const current = this.#now() < state.refreshAt ? state : await this.#refresh(state);
    if (current === undefined) return this.#fetch(request);
    // A body can be read once: the retry needs a copy.
    const retry = request.clone();
    const response = await this.#fetch(withToken(request, current));
    const successor = response.status === 401 ? await this.#refresh(current) : undefined;
    if (successor === undefined || successor === current) return response;
    await response.body?.cancel();
    return this.#fetch(withToken(retry, successor));
  }

  /** @returns the tokens to use: unchanged if the refresh failed, `undefined` if the session has ended */
  #refresh(state: SessionState): Promise<SessionState | undefined> {
    state.refreshed ??= this.#replace(state);
    return state.refreshed;
  }

  async #replace(state: SessionState): Promise<SessionState | undefined> {
    let successor: SessionState | undefined = state;
    try {
      // A session that is being signed out is no longer stored.
      successor = await (this.#storage && this.#state === state
        ? exclusively((hasWaited) => this.#adoptOrRequest(state, hasWaited))
        : this.#request(state));
      // Otherwise the client was signed in or out meanwhile.
      if (this.#state === state) this.#state = successor;
      return successor;
    } finally {
      if (successor === state) state.refreshed = undefined;
    }
  }

  /** Adopts the stored session if a different tab has refreshed or ended it. Otherwise requests new tokens. */
  async #adoptOrRequest(state: SessionState, hasWaited: boolean): Promise<SessionState | undefined> {
    let stored = readSession(this.#storage);
    // A browser may copy `localStorage` to this tab's process only after the lock.
    for (
      let left = hasWaited ? copies : 0;
      left > 0 && stored?.access_token === state.access_token;
      left -= 1
    ) {
      await new Promise((resolve) => setTimeout(resolve, copyMs));
      stored = readSession(this.#storage);
    }
    if (stored === undefined) return undefined;
    const isSame = isSameSession(stored, state);
    if (isSame && stored.access_token !== state.access_token) return this.#stateOf(stored);
    // The browser's cookie belongs to the stored session.
    const isReplaced = !isSame && state.refresh_token === undefined;
    return isReplaced ? undefined : this.#request(state);
  }

  #stateOf({ refreshedAt, ...tokens }: StoredSession): SessionState {
    const ageMs = Math.max(0, Date.now() - refreshedAt);
    return { ...tokens, refreshAt: this.#now() + refreshAgeOf(tokens) - ageMs };
  }

  /** Removes the stored session. A session that a different user opened in a second tab stays. */
  #forget(state: SessionState): void {
    const stored = readSession(this.#storage);
    if (stored && isSameSession(stored, state)) this.#storage?.write(null);
  }

  async #request(state: SessionState): Promise<SessionState | undefined> {
    const refreshedAt = Date.now();
    const startedAt = this.#now();
    const { refresh_token } = state;
    const body = refresh_token === undefined ? {} : { refresh_token };
    const { data, response } = await this.#api.POST('/auth/refresh', { body });
    if (data !== undefined) {
      // The cookie of a different session, which was opened meanwhile.
      if (!isSameSession(data, state)) return undefined;
      const stored = readSession(this.#storage);
      if (stored && isSameSession(stored, state))
        this.#storage?.write(JSON.stringify({ ...data, refreshedAt }));
      return { ...data, refreshAt: startedAt + refreshAgeOf(data) };
    }
    // Only a 401 ends the session; other failures are temporary.
    if (response.status !== 401) return state;
    this.#forget(state);
    return undefined;
  }
}

/** @throws SessionError without data */
function dataOf<Data>(
  { data, error, response }: { readonly data?: Data; readonly error?: Problem; readonly response: Response },
  attempt: SessionAttempt,
): Data {
  if (data === undefined) throw new SessionError(attempt, response.status, problemIn(response, error));
  return data;
}

function isSameSession(left: Tokens, right: Tokens): boolean {
  return sessionIdOf(left) === sessionIdOf(right);
}

function withToken(request: Request, { access_token }: Tokens): Request {
  request.headers.set('authorization', `Bearer ${access_token}`);
  return request;
}
