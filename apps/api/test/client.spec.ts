import { type ApiClient, createClient, SessionError } from '@app/client';
import { makePng, newEmail } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';
import { useFakeClock } from '../testing/fake-clock';

const password = 'correct horse battery staple';

describe('the client of api', () => {
  const api = bootApi();
  const clock = useFakeClock(api);
  let now = 0;

  /** Fakes the clocks of program and client. */
  function pass(ms: number): void {
    clock.pass(ms);
    now += ms;
  }

  // The clock of the program continues from the last test.
  beforeEach(() => pass(0));

  interface ObservedRequests {
    readonly client: ApiClient;
    /** Requests with their status: `POST /orders 201`. */
    readonly sent: string[];
  }

  /** Replaces the program's response, if it returns one. */
  type Answer = (path: string, request: Request) => Promise<Response | undefined>;

  function open(answer: Answer = async () => undefined): ObservedRequests {
    const sent: string[] = [];
    const send = async (request: Request) => {
      const { pathname } = new URL(request.url);
      const response = (await answer(pathname, request)) ?? (await fetch(request));
      sent.push(`${request.method} ${pathname} ${response.status}`);
      return response;
    };
    return { client: createClient({ baseUrl: api().url, fetch: send, now: () => now }), sent };
  }

  async function signedIn(answer?: Answer): Promise<ObservedRequests & { email: string }> {
    const { client, sent } = open(answer);
    const email = await signUp();
    await client.session.signIn(email, password);
    sent.length = 0;
    return { client, sent, email };
  }

  async function signUp(): Promise<string> {
    const email = newEmail();
    await open().client.POST('/users', { body: { email, password } });
    return email;
  }

  const refuse =
    (refused: string, status: number): Answer =>
    async (path) =>
      path === refused ? new Response(null, { status }) : undefined;

  const slug = () => `post-${Math.random().toString(36).slice(2)}`;

  it('is unauthenticated until a sign-in', async () => {
    const { client, sent } = open();
    expect(client.session.isOpen).toBe(false);
    const { error, response } = await client.GET('/users/me');
    expect([response.status, error?.code]).toEqual([401, 'unauthorized']);
    expect(sent).toEqual(['GET /users/me 401']);
  });

  it('authenticates as the signed-in user', async () => {
    const { client, sent, email } = await signedIn();
    expect((await client.GET('/users/me')).data?.email).toBe(email);
    pass(44_000);
    expect((await client.GET('/users/me')).data?.email).toBe(email);
    expect(sent).toEqual(['GET /users/me 200', 'GET /users/me 200']);
  });

  it('reports why a sign-in failed', async () => {
    const { client } = open();
    const attempt = client.session.signIn(newEmail(), password);
    await expect(attempt).rejects.toBeInstanceOf(SessionError);
    await expect(attempt).rejects.toMatchObject({ status: 401, problem: { code: 'unauthorized' } });
    expect(client.session.isOpen).toBe(false);
  });

  it('refreshes before a token expires, repeatedly', async () => {
    const { client, sent } = await signedIn();
    for (let minute = 0; minute < 3; minute++) {
      pass(50_000);
      await client.GET('/users/me');
    }
    const once = ['POST /auth/refresh 200', 'GET /users/me 200'];
    expect(sent).toEqual([...once, ...once, ...once]);
  });

  it.each([
    [8, 6],
    [600, 585],
  ])('refreshes a token that lasts %i seconds after %i seconds', async (lifetime, age) => {
    const { client, sent } = await signedIn(async (path, request) => {
      if (!/sessions|refresh/.test(path)) return undefined;
      const tokens: unknown = await (await fetch(request)).json();
      return Response.json(Object.assign(Object(tokens), { expires_in: lifetime }));
    });
    now += age * 1000 - 1;
    await client.GET('/auth/providers');
    now += 1;
    await client.GET('/auth/providers');
    await client.GET('/auth/providers');
    const calls = ['GET /auth/providers 200', 'GET /auth/providers 200'];
    expect(sent).toEqual(['GET /auth/providers 200', 'POST /auth/refresh 200', ...calls]);
  });

  it('shares one refresh among concurrent requests', async () => {
    const { client, sent } = await signedIn();
    pass(50_000);
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.GET('/users/me')));
    expect(new Set(answers.map(({ response }) => response.status))).toEqual(new Set([200]));
    expect(sent.filter((line) => line.includes('refresh'))).toEqual(['POST /auth/refresh 200']);
  });

  it('sends a file as a form, again after a 401', async () => {
    const email = await signUp();
    let isRefused = false;
    const { client, sent } = open(async (path) => {
      if (path !== '/users/me/picture' || isRefused) return undefined;
      isRefused = true;
      return new Response(null, { status: 401 });
    });
    await client.session.signIn(email, password);
    const picture = new File([makePng()], 'me.png');
    const { data } = await client.PUT('/users/me/picture', { body: { picture } });
    expect(data).toMatchObject({ bytes: makePng().length });
    expect(sent.slice(1)).toEqual([
      'PUT /users/me/picture 401',
      'POST /auth/refresh 200',
      'PUT /users/me/picture 200',
    ]);
  });

  it('reads bytes as a Blob and texts as text', async () => {
    const { client } = await signedIn();
    const picture = new File([makePng()], 'me.png');
    await client.PUT('/users/me/picture', { body: { picture } });
    const { data } = await client.GET('/users/me/picture');
    expect([data?.type, data?.size]).toEqual(['image/png', makePng().length]);
    const { data: bytes } = await client.GET('/users/me/picture', { parseAs: 'arrayBuffer' });
    expect(bytes?.byteLength).toBe(makePng().length);
    expect((await client.GET('/')).data).toContain('api');
  });

  it('retries a request after a 401, with its body', async () => {
    const { client, sent } = await signedIn();
    // The clock of the program only: the client does not detect the expiry.
    clock.pass(61_000);
    const { data } = await client.POST('/posts', { body: { slug: slug() } });
    expect(data?.id).toEqual(expect.any(Number));
    expect(sent).toEqual(['POST /posts 401', 'POST /auth/refresh 200', 'POST /posts 201']);
  });

  it('shares one refresh among concurrent requests after a 401', async () => {
    const { client, sent } = await signedIn();
    clock.pass(61_000);
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.GET('/users/me')));
    expect(new Set(answers.map(({ response }) => response.status))).toEqual(new Set([200]));
    expect(sent.filter((line) => line.includes('refresh'))).toEqual(['POST /auth/refresh 200']);
  });

  it('does not retry twice', async () => {
    const { client, sent } = await signedIn(refuse('/users/me', 401));
    expect((await client.GET('/users/me')).response.status).toBe(401);
    expect(sent).toEqual(['GET /users/me 401', 'POST /auth/refresh 200', 'GET /users/me 401']);
  });

  it('is signed out if its session was ended elsewhere', async () => {
    const { client, email } = await signedIn();
    const elsewhere = open().client;
    await elsewhere.session.signIn(email, password);
    const { data } = await elsewhere.GET('/auth/sessions');
    for (const { id } of data?.items ?? []) {
      await elsewhere.DELETE('/auth/sessions/{id}', { params: { path: { id } } });
    }
    expect((await client.GET('/users/me')).response.status).toBe(401);
    expect(client.session.isOpen).toBe(false);
  });

  it('stays signed in if a refresh fails without a 401', async () => {
    let isBusy = true;
    const { client, sent } = await signedIn(async (path) =>
      isBusy && path === '/auth/refresh' ? new Response(null, { status: 503 }) : undefined,
    );
    pass(50_000);
    await client.GET('/users/me');
    isBusy = false;
    await client.GET('/users/me');
    expect(sent).toEqual([
      'POST /auth/refresh 503',
      'GET /users/me 200',
      'POST /auth/refresh 200',
      'GET /users/me 200',
    ]);
  });

  it('does not change a request with its own authorization', async () => {
    const { client, sent } = await signedIn();
    const headers = { authorization: 'Bearer nonsense' };
    expect((await client.GET('/users/me', { headers })).response.status).toBe(401);
    expect(sent).toEqual(['GET /users/me 401']);
  });

  it('signs out, here and at api', async () => {
    let authorization = '';
    const { client, sent } = await signedIn(async (_path, { headers }) => {
      authorization = headers.get('authorization') ?? authorization;
      return undefined;
    });
    await client.session.signOut();
    expect(client.session.isOpen).toBe(false);
    expect((await client.GET('/users/me')).response.status).toBe(401);
    expect((await api().with({ authorization }).get('/users/me')).status).toBe(401);
    await client.session.signOut();
    expect(sent).toEqual(['POST /auth/logout 204', 'GET /users/me 401']);
  });

  it('signs out with an expired token, whether or not it knows that', async () => {
    const [seen, unseen] = [await signedIn(), await signedIn()];
    clock.pass(61_000);
    await unseen.client.session.signOut();
    expect(unseen.sent).toEqual(['POST /auth/logout 401', 'POST /auth/refresh 200', 'POST /auth/logout 204']);
    now += 61_000;
    await seen.client.session.signOut();
    expect(seen.sent).toEqual(['POST /auth/refresh 200', 'POST /auth/logout 204']);
  });

  it('signs out without an error if the session has ended', async () => {
    const { client } = await signedIn(refuse('/auth/logout', 401));
    await client.session.signOut();
    expect(client.session.isOpen).toBe(false);
  });

  it('throws if api does not end the session, and is signed out in any case', async () => {
    const { client } = await signedIn(refuse('/auth/logout', 503));
    await expect(client.session.signOut()).rejects.toMatchObject({ status: 503 });
    expect(client.session.isOpen).toBe(false);
  });

  it('sends a request as the user who started it, although another signs in meanwhile', async () => {
    const another = Promise.withResolvers<void>();
    const { client, email } = await signedIn(async (path) => {
      if (path === '/auth/refresh') await another.promise;
      return undefined;
    });
    pass(50_000);
    const asked = client.GET('/users/me');
    const otherEmail = await signUp();
    await client.session.signIn(otherEmail, password);
    another.resolve();
    expect((await asked).data?.email).toBe(email);
    expect((await client.GET('/users/me')).data?.email).toBe(otherEmail);
  });

  it('stays signed out if a refresh completes later', async () => {
    const { client } = await signedIn();
    pass(50_000);
    await Promise.all([client.GET('/users/me'), client.session.signOut()]);
    expect(client.session.isOpen).toBe(false);
  });

  it('sends a request with an idempotency key once more if no response arrives', async () => {
    const keys: (string | null)[] = [];
    const { client, sent } = await signedIn(async (path, request) => {
      if (path !== '/orders') return undefined;
      keys.push(request.headers.get('idempotency-key'));
      if (keys.length > 1) return undefined;
      await fetch(request);
      throw new TypeError('fetch failed');
    });
    const { data, response } = await client.POST('/orders', { body: { items: [] } });
    expect([response.status, response.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(keys).toEqual([expect.stringMatching(/^[\da-f]{32}$/), keys[0]]);
    expect(sent).toEqual(['POST /orders 201']);
    const { data: page } = await client.GET('/orders');
    expect(page?.items.map(({ id }) => id)).toEqual([data?.id]);

    const own = { 'Idempotency-Key': 'chosen' };
    await client.POST('/orders', { body: { items: [] }, params: { header: own } });
    expect(keys.at(-1)).toBe('chosen');
  });

  it('repeats a request after Retry-After while its first attempt is in progress', async () => {
    const attempts: number[] = [];
    const { client } = await signedIn(async (path) => {
      if (path !== '/orders' || attempts.push(performance.now()) > 2) return undefined;
      const headers = { 'content-type': 'application/problem+json', 'retry-after': '1' };
      const body = JSON.stringify({ code: 'idempotency-key-in-progress', status: 409 });
      return new Response(body, { status: 409, headers });
    });
    expect((await client.POST('/orders', { body: { items: [] } })).response.status).toBe(201);
    const [first = 0, second = 0, third = 0] = attempts;
    expect(Math.min(second - first, third - second)).toBeGreaterThan(950);

    attempts.length = 0;
    const signal = AbortSignal.timeout(100);
    await expect(client.POST('/orders', { body: { items: [] }, signal })).rejects.toThrow(/timeout/);
    expect(attempts).toHaveLength(1);
  });

  it('sends keys from pages over plain HTTP, which have no crypto.randomUUID', async () => {
    const { client } = await signedIn();
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
    try {
      expect((await client.POST('/orders', { body: { items: [] } })).response.status).toBe(201);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it('sends other requests, and aborted ones, once', async () => {
    let sent = 0;
    const failing = createClient({
      baseUrl: api().url,
      fetch: async (request) => {
        sent += 1;
        request.signal.throwIfAborted();
        throw new TypeError('fetch failed');
      },
    });
    await expect(failing.GET('/orders')).rejects.toThrow('fetch failed');
    expect(sent).toBe(1);
    await expect(failing.POST('/orders', { body: { items: [] } })).rejects.toThrow('fetch failed');
    expect(sent).toBe(3);
    await expect(
      failing.POST('/orders', { body: { items: [] }, signal: AbortSignal.abort() }),
    ).rejects.toThrow(/abort/);
    expect(sent).toBe(4);
  });
});
