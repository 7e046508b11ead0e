import { type ApiClient, createClient, ListError, type SessionStorage, webStorage } from '@app/client';
import { newEmail } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';

const password = 'correct horse battery staple';

/** As `localStorage`. */
function memory(): SessionStorage {
  const items = new Map<string, string>();
  return webStorage({
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  });
}

describe('a client with a storage', () => {
  const api = bootApi();
  let now = 0;
  /** From then on access tokens are refreshed before they are used. */
  const age = () => (now += 50_000);

  /** A tab: a client, and what it sends. */
  function tab(storage?: SessionStorage): { client: ApiClient; sent: string[] } {
    const sent: string[] = [];
    const fetchAndNote = async (request: Request) => {
      sent.push(`${request.method} ${new URL(request.url).pathname}`);
      return fetch(request);
    };
    return {
      client: createClient({ baseUrl: api().url, fetch: fetchAndNote, now: () => now, storage }),
      sent,
    };
  }

  async function signUp(): Promise<string> {
    const email = newEmail();
    await tab().client.POST('/users', { body: { email, password } });
    return email;
  }

  const emailOf = async ({ client }: { client: ApiClient }) => (await client.GET('/users/me')).data?.email;
  const isRefresh = (line: string) => line === 'POST /auth/refresh';

  it('continues its session after a reload', async () => {
    const [email, storage] = [await signUp(), memory()];
    await tab(storage).client.session.signIn(email, password);
    const reloaded = tab(storage);
    expect(reloaded.client.session.isOpen).toBe(true);
    expect(await emailOf(reloaded)).toBe(email);
    expect(reloaded.sent).toEqual(['GET /users/me']);
  });

  it('shares one refresh with other tabs', async () => {
    const [email, storage] = [await signUp(), memory()];
    await tab(storage).client.session.signIn(email, password);
    const tabs = [tab(storage), tab(storage), tab(storage)];
    age();
    expect(await Promise.all(tabs.map(emailOf))).toEqual([email, email, email]);
    expect(tabs.flatMap(({ sent }) => sent).filter(isRefresh)).toHaveLength(1);
    age();
    expect(await Promise.all(tabs.map(emailOf))).toEqual([email, email, email]);
  });

  it('refreshes without the lock if a frozen tab holds it', async () => {
    const [email, storage] = [await signUp(), memory()];
    const { client } = tab(storage);
    await client.session.signIn(email, password);
    const requested = vi.fn<(name: string, options: { signal?: AbortSignal }) => Promise<unknown>>(
      (_name, { signal }) => {
        if (signal === undefined) return Promise.resolve();
        const { promise, reject } = Promise.withResolvers();
        signal.addEventListener('abort', () => reject(signal.reason));
        return promise;
      },
    );
    vi.stubGlobal('navigator', { locks: { request: requested } });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      age();
      const asked = client.GET('/users/me');
      await vi.advanceTimersByTimeAsync(5_000);
      vi.useRealTimers();
      expect((await asked).data?.email).toBe(email);
      expect(requested).toHaveBeenCalledTimes(2);
    } finally {
      vi.useRealTimers();
      vi.unstubAllGlobals();
    }
  });

  it('ends its session at sign-out, also with an expired access token', async () => {
    const [email, storage] = [await signUp(), memory()];
    const { client, sent } = tab(storage);
    await client.session.signIn(email, password);
    const kept = memory();
    kept.write(storage.read());
    age();
    await client.session.signOut();
    expect(sent.slice(1)).toEqual(['POST /auth/refresh', 'POST /auth/logout']);
    expect((await tab(kept).client.GET('/users/me')).response.status).toBe(401);
  });

  it('is signed out when another tab signs out', async () => {
    const [email, storage] = [await signUp(), memory()];
    const [first, second] = [tab(storage), tab(storage)];
    await first.client.session.signIn(email, password);
    const third = tab(storage);
    await first.client.session.signOut();
    expect(storage.read()).toBeNull();
    expect((await third.client.GET('/users/me')).response.status).toBe(401);
    expect([third.client.session.isOpen, second.client.session.isOpen]).toEqual([false, false]);
    expect(tab(storage).client.session.isOpen).toBe(false);
  });

  it('stays the user who signed in, when another one signs in in another tab', async () => {
    const [ada, bob, storage] = [await signUp(), await signUp(), memory()];
    const [first, second] = [tab(storage), tab(storage)];
    await first.client.session.signIn(ada, password);
    await second.client.session.signIn(bob, password);
    age();
    expect([await emailOf(first), await emailOf(second)]).toEqual([ada, bob]);
    await first.client.session.signOut();
    expect(await emailOf(tab(storage))).toBe(bob);
  });

  it.each(['', 'no JSON', '{}', '{"access_token":1}', '[]', 'null'])(
    'is signed out if the storage holds %j',
    (stored) => {
      const storage = memory();
      storage.write(stored);
      expect(tab(storage).client.session.isOpen).toBe(false);
    },
  );
});

describe('the lists of a client', () => {
  const api = bootApi();

  it('are read to their end, a page at a time', async () => {
    const client = createClient({ baseUrl: api().url });
    await client.session.signIn(api.administratorEmail, api.administratorPassword);
    const slugs = Array.from({ length: 7 }, (_, at) => `post-${process.pid}-${at}`);
    for (const slug of slugs) await client.POST('/posts', { body: { slug } });
    const read: string[] = [];
    for await (const { slug } of client.items('/posts', { limit: 3 })) read.push(slug);
    expect(read).toEqual(slugs.toReversed());
  });

  it('throw for a response that is no page', async () => {
    const client = createClient({ baseUrl: `${api().url}/` });
    const read = client.items('/posts').next();
    await expect(read).rejects.toThrow(ListError);
    await expect(read).rejects.toMatchObject({
      status: 401,
      body: expect.stringContaining('Unauthorized'),
      problem: { code: 'unauthorized' },
    });
  });
});
