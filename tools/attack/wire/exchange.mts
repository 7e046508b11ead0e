import type { IncomingHttpHeaders } from 'node:http';

/** A request of the attack. */
export interface Attempt {
  readonly method: string;
  /** The path with its query string. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** The body exactly as it is sent. {@link jsonAttempt} writes a JSON body. */
  readonly body?: string | Buffer;
  /** The source address, which works only on the Linux loopback. The default is the baseline caller's address. */
  readonly from?: string;
}

/** The response to an attempt. */
export interface Answer {
  /** The HTTP status; 0 if the connection ended without a response. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body, or the error's code for a status of 0. */
  readonly text: string;
  readonly milliseconds: number;
}

/** A request of an operation, with a JSON body. */
export function jsonTo(
  { method, path }: Pick<Attempt, 'method' | 'path'>,
  body: unknown,
  headers?: Attempt['headers'],
): Attempt {
  return jsonAttempt(method, path, body, headers);
}

/** A request with a JSON body. */
export function jsonAttempt(
  method: string,
  path: string,
  body: unknown,
  headers: Attempt['headers'] = {},
): Attempt {
  if (body === undefined) return { method, path, headers };
  return {
    method,
    path,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

/** A request with a bearer token in place of the caller's. */
export function withToken(attempt: Attempt, token: string): Attempt {
  return { ...attempt, headers: { ...attempt.headers, authorization: `Bearer ${token}` } };
}

/** The length limit for shown texts, which is longer than any token. */
const shownLength = 600;

/** Writes a request as a command that sends it again. */
export function curlOf({ method, path, headers = {}, body, from }: Attempt, base: URL): string {
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((text) => ` -H ${quoted(`${name}: ${text}`)}`),
  );
  const data = body === undefined ? '' : ` -d ${quoted(body.toString())}`;
  const address = from === undefined ? '' : ` --interface ${from}`;
  return `curl -sS -X ${method}${address} ${quoted(base.origin + path)}${fields.join('')}${data}`;
}

/** Quotes a text as a single shell word and shortens a long text. */
function quoted(text: string): string {
  const shown =
    text.length > shownLength ? `${text.slice(0, shownLength)}… (${text.length} characters)` : text;
  return `'${shown.replaceAll("'", String.raw`'\''`)}'`;
}
