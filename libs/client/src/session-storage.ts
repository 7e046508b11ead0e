/** The place where a client keeps its session, so that it outlives a page reload and is shared by tabs. */
export interface SessionStorage {
  /** Returns the last written value; `null` without a session. */
  read(): string | null;
  /** @param session `null` when the session has ended */
  write(session: string | null): void;
}

/** The part of `localStorage` and `sessionStorage` that is used. */
interface WebStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/**
 * Keeps the session in `localStorage`, which all tabs share, or in `sessionStorage`. Every script on the page can read it there.
 * The client keeps the session in memory unless it gets a storage.
 */
export function webStorage(storage: WebStorage, key = 'sluice.session'): SessionStorage {
  return {
    read: () => storage.getItem(key),
    write: (session) => (session === null ? storage.removeItem(key) : storage.setItem(key, session)),
  };
}

/**
 * Returns a page's storage for the access tokens of a session whose refresh token is in a cookie; `undefined` outside pages. A script
 * that can read an access token there could also request a token.
 */
export function accessTokenStorage(): SessionStorage | undefined {
  const page: { readonly document?: object; readonly localStorage?: WebStorage } = globalThis;
  return page.document && page.localStorage && webStorage(page.localStorage);
}

/** The tokens of a session, with the time when `api` sent them. */
export interface StoredSession {
  readonly access_token: string;
  /** The access token's lifetime, in seconds. */
  readonly expires_in: number;
  /** Absent if a cookie carries it. */
  readonly refresh_token?: string;
  /** The refresh time in milliseconds since 1970, by the machine clock. */
  readonly refreshedAt: number;
}

/** Reads a stored session; `undefined` if it is missing or malformed. */
export function readSession(storage: SessionStorage | undefined): StoredSession | undefined {
  try {
    const session: Partial<StoredSession> | null = JSON.parse(storage?.read() ?? 'null');
    const { access_token, expires_in, refresh_token, refreshedAt } = session ?? {};
    if (typeof access_token !== 'string') return undefined;
    const times = { expires_in: Number(expires_in) || 0, refreshedAt: Number(refreshedAt) || 0 };
    return { access_token, ...(refresh_token !== undefined && { refresh_token }), ...times };
  } catch {
    return undefined;
  }
}

/** The id of the session to which an access token belongs; refreshing keeps it. */
export function sessionIdOf({ access_token: token }: Pick<StoredSession, 'access_token'>): unknown {
  try {
    const payload = token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '';
    const claims: { readonly sid?: unknown } = JSON.parse(atob(payload));
    return claims.sid;
  } catch {
    return undefined;
  }
}

/** The time that a tab waits for a refresh in a different tab, which the browser may have frozen. */
const lockTimeoutMs = 5_000;

/**
 * Runs a single refresh at a time among an origin's tabs, if the platform has locks. A tab that waited too long for the lock
 * refreshes with the same token, and `api` sends it the same tokens.
 *
 * @param work called with whether a different tab held the lock before
 */
export async function exclusively<Result>(work: (hasWaited: boolean) => Promise<Result>): Promise<Result> {
  const { navigator }: { readonly navigator?: { readonly locks?: Locks } } = globalThis;
  const { locks } = navigator ?? {};
  if (locks === undefined) return work(false);
  const waiting = new AbortController();
  const timeout = setTimeout(() => waiting.abort(), lockTimeoutMs);
  let result: Promise<Result> | undefined;
  const start = (hasWaited: boolean): Promise<Result> => {
    clearTimeout(timeout);
    return (result = work(hasWaited));
  };
  try {
    await locks.request(lockName, { ifAvailable: true }, (lock) => (lock ? start(false) : undefined));
    return await (result ?? locks.request(lockName, { signal: waiting.signal }, () => start(true)));
  } catch (error) {
    if (result !== undefined) throw error;
    return await start(false);
  }
}

const lockName = 'sluice.session';

interface Locks {
  request<Result>(
    name: string,
    options: { readonly ifAvailable: true } | { readonly signal: AbortSignal },
    work: (lock: unknown) => Result | Promise<Result>,
  ): Promise<Result>;
}
