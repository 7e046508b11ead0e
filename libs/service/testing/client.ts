import type { Exchange } from '@app/contract/testing';

/** A response. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** The body as text, with every byte. */
  readonly text: string;
  /** The parsed body; `undefined` if it is not JSON. */
  readonly json: any;
}

/** An HTTP client of a running program. */
export class Client {
  constructor(
    readonly url: string,
    private readonly headers: Readonly<Record<string, string>> = {},
    /** Checks every response, and throws to fail the test. */
    private readonly inspect?: (exchange: Exchange) => void,
  ) {}

  /** Returns a client that sends a bearer token. */
  as(token: string): Client {
    return new Client(this.url, { ...this.headers, authorization: `Bearer ${token}` }, this.inspect);
  }

  /** Returns a client that sends additional headers. */
  with(headers: Readonly<Record<string, string>>): Client {
    return new Client(this.url, { ...this.headers, ...headers }, this.inspect);
  }

  get = (path: string): Promise<Reply> => this.send('GET', path);
  delete = (path: string): Promise<Reply> => this.send('DELETE', path);
  post = (path: string, body?: unknown): Promise<Reply> => this.send('POST', path, body);
  put = (path: string, body?: unknown): Promise<Reply> => this.send('PUT', path, body);
  patch = (path: string, body?: unknown): Promise<Reply> => this.send('PATCH', path, body);

  /** Signs in and returns a client for the user. It repeats the request if a busy machine rejects password hashing with 503. */
  async signIn(username: string, password: string): Promise<Client> {
    const { status, json, headers } = await this.post('/auth/login', { username, password });
    if (status === 503 && headers.has('retry-after')) return this.signIn(username, password);
    if (status !== 200) throw new Error(`${username} cannot sign in: ${status}`);
    return this.as(json.access_token);
  }

  /** Signs in with a password that an operator set, and then changes it, because all further routes require a new password. */
  async signInFirst(username: string, initialPassword: string, password: string): Promise<Client> {
    const client = await this.signIn(username, initialPassword);
    const { status } = await client.post('/auth/password-changes', { password });
    if (status !== 204) throw new Error(`${username} cannot choose a password: ${status}`);
    return client;
  }

  /** Sends any method. A body is sent as JSON, unless it is a form. */
  async send(method: string, path: string, body?: unknown): Promise<Reply> {
    const isForm = body instanceof FormData;
    const json = body === undefined || isForm ? {} : { 'content-type': 'application/json' };
    const response = await fetch(this.url + path, {
      method,
      headers: { ...json, ...this.headers },
      body: isForm ? body : body === undefined ? undefined : JSON.stringify(body),
      redirect: 'manual',
    });
    const text = await response.text();
    const { status } = response;
    const contentType = response.headers.get('content-type') ?? '';
    this.inspect?.({ method, path, status, contentType, text, headers: [...response.headers.keys()] });
    return { status, headers: response.headers, text, json: parse(text) };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
